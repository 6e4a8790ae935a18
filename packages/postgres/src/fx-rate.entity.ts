import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Units of a fiat for one usd on a UTC day. Written whole: source, who and when always belong to the rate. A row is never
 * deleted. The database keeps every former state in fx_rate_changes.
 */
@Entity('fx_rates')
export class FxRate {
  /** YYYY-MM-DD. */
  @PrimaryColumn({ type: 'date' })
  day: string;

  /** A Currency of the contracts, lower-case; neither `ton` nor `usd`. */
  @PrimaryColumn({ type: 'text' })
  currency: string;

  /** Exact decimal text. */
  @Column({ type: 'numeric' })
  rate: string;

  @Column({ type: 'text' })
  source: string;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  /** Given by the database; becomes visible in ascending order, so that readers follow by "greater than the last". */
  @Column({ type: 'bigint', name: 'change_number', insert: false, update: false })
  changeNumber: string;
}
