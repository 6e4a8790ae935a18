import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RollupDataset, rollupPartitionOf, rollupTopicNames } from './datasets.js';
import { isNewerRollup, rollupRecords } from './records.js';
import { rollupEventHeaders } from './rollup-events.js';

const samples = new URL('samples/', import.meta.url);
const names = readdirSync(samples);

/** `<topic>.<date of the writer's release>.json` */
const datasetOf = (name: string) =>
  RollupDataset.options.find((dataset) => name.startsWith(`${rollupTopicNames[dataset]}.`));

describe('the contracts of the rollup topics', () => {
  it.each(names)('read the record %s, written before, whole', (name) => {
    const dataset = datasetOf(name);
    if (dataset === undefined) throw new Error(`a sample of no topic: ${name}`);
    const record: unknown = JSON.parse(readFileSync(new URL(name, samples), 'utf8'));
    expect(rollupRecords[dataset].parse(record)).toEqual(record);
  });

  it('have an old sample of every topic', () => {
    expect(new Set(names.map(datasetOf))).toEqual(new Set(RollupDataset.options));
  });

  it('let readers pass over fields that a later writer adds', () => {
    for (const name of names) {
      const dataset = datasetOf(name) ?? 'jettonMinute';
      const record = JSON.parse(readFileSync(new URL(name, samples), 'utf8')) as object;
      expect(rollupRecords[dataset].parse({ ...record, addedLater: '1' })).toEqual(record);
    }
  });

  it('refuse figures that are JSON numbers: they may have lost digits', () => {
    const name = names.find((one) => datasetOf(one) === 'jettonMinute') ?? '';
    const sample = JSON.parse(readFileSync(new URL(name, samples), 'utf8')) as object;
    expect(rollupRecords.jettonMinute.safeParse({ ...sample, volumeUsdBuy: 1.5 }).success).toBe(false);
    expect(rollupRecords.jettonMinute.safeParse({ ...sample, revision: 7 }).success).toBe(false);
  });
});

const record = (revision: string, isFinal = false) => ({ revision, isFinal });

describe('the rule for readers', () => {
  it('compares revisions as numbers of any size, not as text', () => {
    expect(isNewerRollup(record('10'), record('9'))).toBe(true);
    expect(isNewerRollup(record('9'), record('10'))).toBe(false);
    expect(isNewerRollup(record(String((1n << 200n) + 1n)), record(String(1n << 200n)))).toBe(true);
  });

  it('takes a first record, and of equal revisions only the one that says that the window has ended', () => {
    expect(isNewerRollup(record('0'), undefined)).toBe(true);
    expect(isNewerRollup(record('5'), record('5'))).toBe(false);
    expect(isNewerRollup(record('5', true), record('5'))).toBe(true);
    expect(isNewerRollup(record('5'), record('5', true))).toBe(false);
  });
});

describe('the events', () => {
  it('have an id that follows from key, revision and finality alone', () => {
    const event = { revision: '7', isFinal: false, computedAt: '2026-01-01T00:00:00.000Z' };
    const again = rollupEventHeaders('jettonHour', 'k', { ...event, computedAt: '2026-02-01T00:00:00.000Z' });
    expect(again['ce_id']).toBe(rollupEventHeaders('jettonHour', 'k', event)['ce_id']);
    expect(rollupEventHeaders('jettonHour', 'k', { ...event, revision: '8' })['ce_id']).not.toBe(again['ce_id']);
  });

  it('lie in one partition per jetton, spread over all of them', () => {
    const partitions = Array.from({ length: 256 }, (_, n) =>
      rollupPartitionOf(`0:${n.toString(16).padStart(8, '0')}${'0'.repeat(56)}`, 4),
    );
    expect(new Set(partitions)).toEqual(new Set([0, 1, 2, 3]));
    expect(rollupPartitionOf(`-1:${'f'.repeat(64)}`, 7)).toBe(0xffff_ffff % 7);
    expect(() => rollupPartitionOf('ton', 4)).toThrow(RangeError);
  });
});
