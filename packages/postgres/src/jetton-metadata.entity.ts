import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link of a jetton, cleaned: `type` is a LinkType of the contracts, `url` http or https. */
export interface JettonMetadataLink {
  readonly name: string;
  readonly url: string;
  readonly type: string;
}

/**
 * What the feed says of a jetton. Strings are cleaned; null is unknown. Integers wider than 32 bits come as text.
 * createdAt = created_at_s, else the least of earliest_update_s and the first trade, else earliest_record_s.
 */
@Entity('jetton_metadata')
export class JettonMetadata {
  /** Raw lower-case address, as are all others. */
  @PrimaryColumn({ type: 'text' })
  address: string;

  @Column({ type: 'text', nullable: true })
  name: string | null;

  @Column({ type: 'text', nullable: true })
  symbol: string | null;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** The message's image, else its tonapi_image_url. */
  @Column({ type: 'text', nullable: true })
  image: string | null;

  /** 0 to 255. */
  @Column({ type: 'smallint', nullable: true })
  decimals: number | null;

  @Column({ type: 'boolean', nullable: true })
  mintable: boolean | null;

  /** Null also where the jetton has none. */
  @Column({ type: 'text', nullable: true })
  admin: string | null;

  /** 64 lower-case hex digits. */
  @Column({ type: 'text', name: 'code_hash', nullable: true })
  codeHash: string | null;

  /** Raw units, decimal text. */
  @Column({ type: 'numeric', precision: 78, name: 'total_supply', nullable: true })
  totalSupply: string | null;

  @Column({ type: 'text', name: 'offchain_image', nullable: true })
  offchainImage: string | null;

  @Column({ type: 'text', name: 'offchain_description', nullable: true })
  offchainDescription: string | null;

  @Column({ type: 'text', name: 'admin_offchain_address', nullable: true })
  adminOffchainAddress: string | null;

  @Column({ type: 'jsonb', nullable: true })
  links: JettonMetadataLink[] | null;

  /** Unix seconds, decimal text, as the next three. */
  @Column({ type: 'bigint', name: 'created_at_s', nullable: true })
  createdAtS: string | null;

  /** The least update time of any message. */
  @Column({ type: 'bigint', name: 'earliest_update_s', nullable: true })
  earliestUpdateS: string | null;

  /** The least record timestamp of any message. */
  @Column({ type: 'bigint', name: 'earliest_record_s' })
  earliestRecordS: string;

  /** Of the newest message; 0: it had none. */
  @Column({ type: 'bigint', name: 'update_time_s' })
  updateTimeS: string;

  /** Given by the database; becomes visible in ascending order, so that readers follow by "greater than the last". */
  @Column({ type: 'bigint', name: 'change_number', insert: false, update: false })
  changeNumber: string;
}
