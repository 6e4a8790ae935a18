import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderNameOf } from './folder-name.js';

describe('the name of the data folder', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-name-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const replayOf = (name: string, content: string, clock = 'event', shiftToNow = false) => {
    writeFileSync(join(dir, name), content);
    return folderNameOf({ source: { kind: 'replay', file: join(dir, name), shiftToNow }, clock });
  };

  it('is fixed for the market and for a foreign feed', async () => {
    expect(await folderNameOf({ source: { kind: 'market', seed: 7 }, clock: 'wall' })).toBe('market');
    expect(await folderNameOf({ source: { kind: 'kafka' }, clock: 'wall' })).toBe('kafka-source');
  });

  it("goes by a replayed file's content, not its name", async () => {
    const name = await replayOf('a.ndjson', 'trades');
    expect(name).toMatch(/^replay-[0-9a-f]{12}$/);
    expect(await replayOf('b.ndjson', 'trades')).toBe(name);
    expect(await replayOf('a.ndjson', 'other trades')).not.toBe(name);
  });

  it('keeps replays by other clocks apart', async () => {
    const names = [
      await replayOf('a', 'trades'),
      await replayOf('a', 'trades', 'wall'),
      await replayOf('a', 'trades', 'wall', true),
    ];
    expect(new Set(names).size).toBe(3);
  });

  it('says that a file cannot be read', async () => {
    const source = { kind: 'replay', file: join(dir, 'absent'), shiftToNow: false } as const;
    await expect(folderNameOf({ source, clock: 'event' })).rejects.toThrow(
      /^the file to replay cannot be read: .*absent/,
    );
  });
});
