import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a plan, written by the database with the change itself; never altered. */
@Entity('plan_changes')
export class PlanChange {
  @PrimaryColumn({ type: 'bigint', name: 'change_number' })
  changeNumber: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'boolean' })
  paid: boolean;

  @Column({ type: 'integer', name: 'requests_per_second' })
  requestsPerSecond: number;

  @Column({ type: 'integer' })
  burst: number;

  @Column({ type: 'integer', name: 'requests_per_day' })
  requestsPerDay: number;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;
}
