import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A key that was given out; of its text only the hash and the visible prefix. Never deleted: it is revoked. The database
 * keeps every former state in api_key_changes, apart from `lastUsedAt`, which is no change.
 */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  /** The first characters of the key. */
  @Column({ type: 'text' })
  prefix: string;

  @Column({ type: 'bytea', name: 'key_hash', select: false })
  keyHash: Buffer;

  @Column({ type: 'text' })
  owner: string;

  /** Name of a plan. */
  @Column({ type: 'text' })
  plan: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** To a minute or so. */
  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  /** Given by the database; becomes visible in ascending order, so that readers follow by "greater than the last". */
  @Column({ type: 'bigint', name: 'change_number', insert: false, update: false })
  changeNumber: string;
}
