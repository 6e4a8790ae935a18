import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change that an operator made outside of this database: written before it, completed once after it. */
@Entity('operator_changes')
export class OperatorChange {
  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id: string;

  @Column({ type: 'text' })
  command: string;

  /** What was asked for. */
  @Column({ type: 'jsonb' })
  details: object;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  /** `begun`: it is under way, or was cut short. */
  @Column({ type: 'text' })
  outcome: 'begun' | 'done' | 'failed';

  /** What came of it. */
  @Column({ type: 'jsonb', nullable: true })
  result: object | null;

  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
