import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A dead letter that was put back on its topic, named by the place it came from. */
@Entity('dead_letter_redrives')
export class DeadLetterRedrive {
  @PrimaryColumn({ type: 'text' })
  topic: string;

  @PrimaryColumn({ type: 'integer', name: 'kafka_partition' })
  partition: number;

  @PrimaryColumn({ type: 'bigint', name: 'kafka_offset' })
  offset: string;

  /** `sending`: it was begun, and whether the topic has it is to be looked up there. */
  @Column({ type: 'text' })
  state: 'sending' | 'sent';

  /** Ends of the topic's partitions before it was sent for the first time: if it is there, it is behind them. */
  @Column({ type: 'jsonb', name: 'looked_from' })
  lookedFrom: Readonly<Record<string, string>>;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;
}
