import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a client may do. Written whole, never deleted; the database keeps every former state in plan_changes. */
@Entity('plans')
export class Plan {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Whether the operations of paid plans are open to it. */
  @Column({ type: 'boolean' })
  paid: boolean;

  @Column({ type: 'integer', name: 'requests_per_second' })
  requestsPerSecond: number;

  /** Requests at once after a pause; at least `requestsPerSecond`. */
  @Column({ type: 'integer' })
  burst: number;

  @Column({ type: 'integer', name: 'requests_per_day' })
  requestsPerDay: number;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  /** Given by the database; becomes visible in ascending order, so that readers follow by "greater than the last". */
  @Column({ type: 'bigint', name: 'change_number', insert: false, update: false })
  changeNumber: string;
}
