import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a label, written by the database with the change itself; never altered. */
@Entity('jetton_label_changes')
export class JettonLabelChange {
  @PrimaryColumn({ type: 'bigint', name: 'change_number' })
  changeNumber: string;

  @Column({ type: 'text' })
  address: string;

  @Column({ type: 'text' })
  verification: string;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  @Column({ type: 'text' })
  reason: string;
}
