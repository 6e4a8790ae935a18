import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BackfillFile, OperatorChange } from '@jetton-analytics/postgres';
import { sharedKafka, uniqueName } from '@jetton-analytics/testing';
import { type KafkaBench, openBench } from '../../../packages/kafka/test/support/kafka-bench.js';
import { readAll } from '../../../packages/kafka/test/support/read-all.js';
import { newDatabase } from './new-database.js';
import { admin, adminHere, report } from './run-command.js';

let bench: KafkaBench;
let database: Awaited<ReturnType<typeof newDatabase>>;
let brokers: string;
let folder: string;
beforeAll(async () => {
  const shared = await sharedKafka();
  brokers = shared.brokers.join(',');
  [bench, database] = await Promise.all([openBench(shared.brokers), newDatabase()]);
  folder = mkdtempSync(join(tmpdir(), 'backfill-'));
}, 480_000);
afterAll(async () => {
  await Promise.all([bench?.close(), database?.database.destroy()]);
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function newTopic() {
  const topic = await bench.newTopic(uniqueName('filled'));
  const env = { ...database.env, KAFKA_BROKERS: brokers, DEX_TRADES_TOPIC: topic, INIT_CWD: folder };
  const values = async () => (await readAll(bench.kafka, topic)).map(({ value }) => value?.toString('latin1'));
  return { topic, env, values };
}
const textOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `{"file":"${name}","n":${n},"amount":"1E-7"}`).join('\n');

describe('backfill', () => {
  it('sends every line as it is, packed or not, once: a second run finds nothing to do', async () => {
    const { topic, env, values } = await newTopic();
    writeFileSync(join(folder, 'plain.ndjson'), `${textOf('plain', 5)}\r\n\n  \nno json \u00ff`, 'latin1');
    writeFileSync(join(folder, 'packed.ndjson.gz'), gzipSync(textOf('packed', 4_500)));
    const args = ['backfill', 'plain.ndjson', 'packed.ndjson.gz'];
    expect(await report([...args, '--dry-run'], env)).toMatchObject({ files: [{ state: 'wouldSend' }, {}] });
    expect(await values()).toEqual([]);

    const ended = await admin([...args, '--by', topic], env);
    expect([ended.code, ended.err]).toEqual([
      0,
      expect.stringContaining('packed.ndjson.gz [########################] 100 %'),
    ]);
    const wanted = [...textOf('plain', 5).split('\n'), 'no json \u00ff', ...textOf('packed', 4_500).split('\n')];
    expect(await values()).toEqual(wanted);

    const again = { state: 'sentBefore', sent: 0 };
    expect(await report(args, env)).toMatchObject({ files: [again, { ...again, lines: 4_500 }] });
    expect(await values()).toHaveLength(wanted.length);
    expect(await database.database.manager.findBy(OperatorChange, { setBy: topic })).toMatchObject([
      { command: 'backfill', outcome: 'done', details: { topic } },
    ]);
    expect(await report([...args.slice(0, 2), '--again'], env)).toMatchObject({ files: [{ state: 'sent', sent: 6 }] });
  }, 300_000);

  it('goes on where a run was killed, though the file has got another name', async () => {
    const { topic, env, values } = await newTopic();
    const text = textOf('killed', 3_000);
    writeFileSync(join(folder, 'renamed.ndjson'), text);
    await database.database.manager.insert(BackfillFile, {
      sha256: createHash('sha256').update(text).digest('hex'),
      topic,
      name: 'killed.ndjson',
      lines: '2000',
      finished: false,
      setBy: 'killed',
      setAt: new Date(0),
    });
    expect(await report(['backfill', 'renamed.ndjson'], env)).toMatchObject({
      files: [{ fromLine: 2_000, lines: 3_000, sent: 1_000, state: 'sent' }],
    });
    expect(await values()).toEqual(text.split('\n').slice(2_000));
  }, 300_000);

  it('names a file that is none, one that is cut off, and a topic that is not there', async () => {
    const { env, values } = await newTopic();
    const cut = gzipSync(textOf('cut', 2_000));
    writeFileSync(join(folder, 'cut.gz'), cut.subarray(0, cut.length - 20));
    const ended = async (more: Record<string, string>, ...args: string[]) => {
      const { code, err } = await admin(['backfill', ...args], { ...env, ...more });
      return [code, err];
    };
    expect(await ended({}, 'none.ndjson')).toEqual([2, expect.stringContaining('none.ndjson cannot be read')]);
    expect(await values()).toEqual([]);
    expect(await ended({}, 'cut.gz')).toEqual([2, expect.stringContaining('cut.gz cannot be read beyond line')]);
    expect(await ended({ DEX_POOLS_TOPIC: 'no_such_topic' }, 'cut.gz', '--as', 'pools')).toEqual([
      3,
      expect.stringContaining('there is no topic no_such_topic'),
    ]);
    expect((await adminHere(['backfill', 'cut.gz', '--as', 'prices'], env)).code).toBe(2);
  }, 300_000);
});
