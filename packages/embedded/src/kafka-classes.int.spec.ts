import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { classArchiveArguments } from './kafka-classes.js';
import { spawnManaged } from './managed-process.js';

const noBroker = () => Promise.reject(new Error('no such broker'));

describe('the archive of classes that Kafka starts from', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'jetton-classes-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  let starts = 0;
  beforeEach(() => {
    starts = 0;
  });
  /** A program that, as Java does, writes the file it was given when it is ended. */
  const writesAtExit = (javaArgs: readonly string[], dataDir: string) => {
    starts++;
    mkdirSync(dataDir);
    const file = javaArgs.join(' ').replace('-XX:ArchiveClassesAtExit=', '');
    return spawnManaged({
      name: 'archive',
      command: 'sh',
      args: [
        '-c',
        `trap 'echo classes > ${file}; exit 143' TERM; touch ${dataDir}/ready; while :; do sleep 0.02; done`,
      ],
      output: { onLine: () => undefined },
      readyWhen: () => Promise.resolve(existsSync(join(dataDir, 'ready'))),
    });
  };

  it('is made once for a version of Java, also when two ask at the same moment, and leaves nothing else', async () => {
    const options = { versionDir: dir, java: ['openjdk version "17.0.15"'], startBroker: writesAtExit };
    const [one, two] = await Promise.all([classArchiveArguments(options), classArchiveArguments(options)]);
    expect(one[0]).toMatch(/^-XX:SharedArchiveFile=.*\/classes-[0-9a-f]{12}\.jsa$/);
    expect(two).toEqual(one);
    expect(await classArchiveArguments(options)).toEqual(one);
    expect(starts).toBe(1);
    const other = await classArchiveArguments({ ...options, java: ['openjdk version "21"'] });
    expect(other[0]).not.toBe(one[0]);
    expect(readdirSync(dir).filter((name) => !name.endsWith('.jsa'))).toEqual([]);
  });

  it('is gone without, and the reason told, where it cannot be made', async () => {
    const reasons: string[] = [];
    const onFailure = (reason: string) => reasons.push(reason);
    expect(await classArchiveArguments({ versionDir: dir, java: ['17'], startBroker: noBroker, onFailure })).toEqual(
      [],
    );
    expect(reasons).toEqual(['no such broker']);
    expect(readdirSync(dir)).toEqual([]);
  });
});
