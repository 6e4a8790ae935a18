import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A message that at least one field of its jetton's metadata comes from. */
@Entity('jetton_metadata_messages')
export class JettonMetadataMessage {
  @PrimaryColumn({ type: 'text' })
  address: string;

  /** The record's timestamp, Unix milliseconds as text. */
  @PrimaryColumn({ type: 'bigint', name: 'record_ms' })
  recordMs: string;

  /** SHA-256 of the value, hex. */
  @PrimaryColumn({ type: 'text', name: 'value_hash' })
  valueHash: string;

  /** The message's bytes. */
  @Column({ type: 'bytea' })
  value: Buffer;
}
