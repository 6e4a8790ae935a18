import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a rate, written by the database with the change itself; never altered. */
@Entity('fx_rate_changes')
export class FxRateChange {
  @PrimaryColumn({ type: 'bigint', name: 'change_number' })
  changeNumber: string;

  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'numeric' })
  rate: string;

  @Column({ type: 'text' })
  source: string;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;
}
