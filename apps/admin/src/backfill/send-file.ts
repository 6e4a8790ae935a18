import type { KafkaProducer } from '@jetton-analytics/kafka';
import { BackfillFile } from '@jetton-analytics/postgres';
import type { Database } from '../database.js';
import type { LineFile } from './line-file.js';

export interface SendOptions {
  readonly topic: string;
  readonly by: string;
  readonly now: () => Date;
  readonly onProgress: (bytesRead: number, of: number) => void;
}

export interface SentFile {
  /** Lines that are acknowledged, those of earlier runs included: the number of the last one, blank ones counted. */
  readonly lines: number;
  /** Records sent by this run. */
  readonly sent: number;
  /** Lines that are longer than any record may be. */
  readonly tooLong: number;
}

const recordsPerSend = 2_000;

/** How far the file was sent to the topic before; null: never. */
export const sentBefore = ({ manager }: Pick<Database, 'manager'>, { sha256 }: LineFile, topic: string) =>
  manager.findOneBy(BackfillFile, { sha256, topic });

/**
 * Sends the lines behind `fromLine` as they are, without a key, in order, and notes how far it is after each
 * acknowledgement: a run that is killed repeats at most the lines of one send. Throws what the stores throw.
 */
export async function sendFile(
  { manager }: Pick<Database, 'manager'>,
  producer: Pick<KafkaProducer, 'send'>,
  file: LineFile,
  fromLine: number,
  { topic, by, now, onProgress }: SendOptions,
): Promise<SentFile> {
  let [line, sent, tooLong] = [fromLine, 0, 0];
  const note = (finished: boolean) =>
    manager.upsert(
      BackfillFile,
      { sha256: file.sha256, topic, name: file.name, lines: String(line), finished, setBy: by, setAt: now() },
      ['sha256', 'topic'],
    );
  for await (const { lines, bytesRead } of file.lines()) {
    const due = lines.filter(({ number }) => number > fromLine);
    for (let start = 0; start < due.length; start += recordsPerSend) {
      const part = due.slice(start, start + recordsPerSend);
      const values = part.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
      if (values.length > 0)
        await producer.send(
          topic,
          values.map((value) => ({ value })),
        );
      sent += values.length;
      tooLong += part.length - values.length;
      line = part.at(-1)?.number ?? line;
      await note(false);
    }
    onProgress(bytesRead, file.bytes);
  }
  await note(true);
  return { lines: line, sent, tooLong };
}
