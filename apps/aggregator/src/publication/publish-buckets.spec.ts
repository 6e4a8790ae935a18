import { describe, expect, it } from '@jest/globals';
import type { ProducedRecord } from '@jetton-analytics/kafka';
import type { BucketRow } from './bucket-records.js';
import { publishBuckets } from './publish-buckets.js';

const jetton = `0:${'ab'.repeat(32)}`;
const row = (key: string, version: bigint): BucketRow => ({ key, jetton, endSeconds: 60, version, figures: '' });

/** A table that `onSend` may change while records are on their way. */
function rig(table: Map<string, bigint>, onSend: (sends: number) => void = () => undefined) {
  const log: { key: string; revision: string }[] = [];
  let again = 0;
  let sends = 0;
  const publish = () =>
    publishBuckets(
      {
        dataset: 'jettonMinute',
        read: async () => [...table].map(([key, version]) => row(key, version)),
        versionSum: async () => [...table.values()].reduce((sum, version) => sum + version, 0n) % (1n << 256n),
      },
      {
        async send(_dataset, records: readonly ProducedRecord[]) {
          sends += 1;
          onSend(sends);
          for (const { key, value } of records) {
            const { revision } = JSON.parse(String(value)) as { revision: string };
            log.push({ key: String(key), revision });
          }
        },
        partitionsOf: () => 4,
        readAt: () => ({ nowMs: 0, asOf: undefined }),
        onAgain: (_dataset, buckets) => (again += buckets),
      },
    );
  return { log, publish, again: () => again };
}
const last = (log: readonly { key: string; revision: string }[]) =>
  new Map(log.map(({ key, revision }) => [key, BigInt(revision)]));

describe('the publication of buckets', () => {
  it('sends every bucket once where nothing changes meanwhile', async () => {
    const table = new Map([
      ['a', 1n],
      ['b', (1n << 256n) - 1n],
    ]);
    const { log, publish } = rig(table);
    expect(await publish()).toBe(2);
    expect(log.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('sends a bucket again that the table held a newer version of once ours was acknowledged, and only that', async () => {
    const table = new Map([
      ['a', 1n],
      ['b', 5n],
    ]);
    const { log, publish, again } = rig(table, (sends) => {
      if (sends <= 2) table.set('a', BigInt(sends + 1));
    });
    await publish();
    expect(last(log)).toEqual(table);
    expect(log.map(({ key }) => key)).toEqual(['a', 'b', 'a', 'a']);
    expect(again()).toBe(2);
  });

  it('ends where buckets were dropped meanwhile', async () => {
    const table = new Map([
      ['a', 1n],
      ['b', 5n],
    ]);
    const { log, publish } = rig(table, () => table.delete('b'));
    await publish();
    expect(log).toHaveLength(2);
  });

  it('gives up with an error, to be repeated, where a bucket never stops changing', async () => {
    const table = new Map([['a', 1n]]);
    const { publish } = rig(table, (sends) => void table.set('a', BigInt(sends + 1)));
    await expect(publish()).rejects.toThrow('changed 20 times');
  });
});
