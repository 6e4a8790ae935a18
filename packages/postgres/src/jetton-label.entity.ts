import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What curators say of a jetton; no row: JVS_NONE. Written whole: who, when and why always belong to the value. A row is
 * never deleted, it is set to JVS_NONE. The database keeps every former state in jetton_label_changes.
 */
@Entity('jetton_labels')
export class JettonLabel {
  /** Raw lower-case address. */
  @PrimaryColumn({ type: 'text' })
  address: string;

  /** A Verification of the contracts. */
  @Column({ type: 'text' })
  verification: string;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;

  @Column({ type: 'text' })
  reason: string;

  /** Given by the database; becomes visible in ascending order, so that readers follow by "greater than the last". */
  @Column({ type: 'bigint', name: 'change_number', insert: false, update: false })
  changeNumber: string;
}
