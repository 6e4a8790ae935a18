import { readReplayFile } from '../oracle/replay-file.js';
import type { ProducedRecord } from './topic.js';

/** The records of a sample file, dealt out over the partitions of the topic as the feed does. */
export function sampleRecords(file: string): ProducedRecord[] {
  return readReplayFile(file).map((record, n) => ({ ...record, partition: n % 4 }));
}
