import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a key, written by the database with the change itself; never altered. */
@Entity('api_key_changes')
export class ApiKeyChange {
  @PrimaryColumn({ type: 'bigint', name: 'change_number' })
  changeNumber: string;

  @Column({ type: 'bigint', name: 'key_id' })
  keyId: string;

  @Column({ type: 'text' })
  owner: string;

  @Column({ type: 'text' })
  plan: string;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;
}
