import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a file was sent to a topic; the file is known by its content, wherever it lies. */
@Entity('backfill_files')
export class BackfillFile {
  /** Of the file as it lies there, packed or not; hex. */
  @PrimaryColumn({ type: 'text' })
  sha256: string;

  @PrimaryColumn({ type: 'text' })
  topic: string;

  @Column({ type: 'text' })
  name: string;

  /** Lines of the file that are acknowledged. */
  @Column({ type: 'bigint' })
  lines: string;

  @Column({ type: 'boolean' })
  finished: boolean;

  @Column({ type: 'text', name: 'set_by' })
  setBy: string;

  @Column({ type: 'timestamptz', name: 'set_at' })
  setAt: Date;
}
