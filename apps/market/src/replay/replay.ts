import type { FeedProducer } from '../feed-producer.js';
import type { Output } from '../output.js';
import { SendWindow } from '../send-window.js';
import { RecordDates, type UndatedRecord } from './date-records.js';
import { openLineFile } from './read-lines.js';
import { rewriteLine, type Rewriting } from './rewrite-line.js';
import { type Line, lineBytesMax } from '@jetton-analytics/feed';

export interface Replay {
  readonly path: string;
  readonly rewriting: Rewriting;
  readonly topic: string;
  readonly producer: FeedProducer;
  readonly output: Output;
  readonly signal: AbortSignal;
}

export interface ReplayCounts {
  /** Records acknowledged, those of bad lines among them. */
  readonly sent: number;
  /** Lines that were reported, sent as they are unless too long. */
  readonly bad: number;
}

const batchRecordsMax = 1500;
const batchBytesMax = 1_500_000;
const sendsMax = 4;
const reportsMax = 20;
const noticeEveryRecords = 50_000;

/**
 * Streams a file into the trades topic. Each bad line is named by file and number and sent as it is. Stops where it is at
 * the signal. Throws a UserError where the file cannot be read or the broker refuses a record.
 */
export async function replay(options: Replay): Promise<ReplayCounts> {
  const { path, rewriting, topic, producer, output, signal } = options;
  const window = new SendWindow(sendsMax);
  const dates = new RecordDates();
  let batch: UndatedRecord[] = [];
  let batchBytes = 0;
  let sent = 0;
  let toldAt = 0;
  let bad = 0;
  const report = (line: Line, problem: string): void => {
    bad += 1;
    if (bad <= reportsMax) output.warn(`${path}:${line.number}: ${problem}`);
    if (bad === reportsMax) output.warn(`${path}: further bad lines are counted, not named`);
  };
  const flush = async (): Promise<void> => {
    const records = dates.date(batch);
    batch = [];
    batchBytes = 0;
    await window.add(async () => {
      await producer.send(topic, records);
      sent += records.length;
    });
    if (sent - toldAt < noticeEveryRecords) return;
    toldAt = sent;
    output.progress({ phase: 'replay', sent });
  };

  const file = await openLineFile(path);
  for await (const lines of file.lines) {
    for (const line of lines) {
      if (signal.aborted) break;
      if (line.bytes === undefined) {
        report(line, `longer than ${lineBytesMax} bytes: left out`);
        continue;
      }
      const { value, eventTimeSeconds, problem } = rewriteLine(line.bytes, rewriting);
      if (problem !== undefined) report(line, `${problem}: sent as it is`);
      // A batch never grows beyond its bound by the record that would fill it.
      if (batchBytes + value.length > batchBytesMax && batch.length > 0) await flush();
      batch.push({ value, eventTimeSeconds });
      batchBytes += value.length;
      if (batch.length >= batchRecordsMax) await flush();
    }
    if (signal.aborted) break;
  }
  if (batch.length > 0 && !signal.aborted) await flush();
  await window.drain();
  return { sent, bad };
}
