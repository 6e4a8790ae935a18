import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataFolder } from './data-folder.js';
import { identityOf, isAlive } from './process-identity.js';

const engines = { kafka: '4.1.1', postgres: '18.4', clickhouse: '26.7' };

describe('openDataFolder', () => {
  let parent: string;
  let dir: string;
  const write = (name: string, value: unknown) => writeFileSync(join(dir, name), JSON.stringify(value));
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'jetton-data-'));
    dir = join(parent, 'data');
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('keeps what is in the folder between starts', async () => {
    const first = await openDataFolder({ dir, engines });
    write('kept', 1);
    first.release();
    const second = await openDataFolder({ dir, engines });
    expect(readFileSync(join(dir, 'kept'), 'utf8')).toBe('1');
    second.release();
  });

  it('lets one supervisor in and tells the second who is there', async () => {
    const first = await openDataFolder({ dir, engines });
    await expect(openDataFolder({ dir, engines })).rejects.toThrow(`${dir} is in use by process ${process.pid}`);
    await expect(openDataFolder({ dir, engines, fresh: true })).rejects.toThrow('is in use by process');
    first.release();
    (await openDataFolder({ dir, engines })).release();
  });

  it.each([
    ['a newer format', { format: 2, engines }, /has data format 2, written by a newer version/],
    ['another major engine version', { format: 1, engines: { kafka: '3.9.0' } }, /written by kafka 3\.9\.0 and cannot/],
    ['a damaged format file', 'nonsense', /format\.json is damaged/],
  ])('refuses %s with a sentence and changes nothing', async (_case, format, sentence) => {
    mkdirSync(dir);
    write('format.json', format);
    write('kept', 1);
    await expect(openDataFolder({ dir, engines })).rejects.toThrow(sentence);
    expect(readdirSync(dir).sort()).toEqual(['format.json', 'kept']);
    expect(JSON.parse(readFileSync(join(dir, 'format.json'), 'utf8'))).toEqual(format);
  });

  it('takes a folder of another engine patch version', async () => {
    (await openDataFolder({ dir, engines })).release();
    const folder = await openDataFolder({ dir, engines: { ...engines, kafka: '4.2.0' } });
    expect(JSON.parse(readFileSync(join(dir, 'format.json'), 'utf8'))).toMatchObject({ engines: { kafka: '4.2.0' } });
    folder.release();
  });

  it('begins anew with --fresh, also over a format it cannot read', async () => {
    mkdirSync(dir);
    write('format.json', { format: 99, engines: {} });
    mkdirSync(join(dir, 'kafka'));
    write('kafka/topic', 1);
    const folder = await openDataFolder({ dir, engines, fresh: true });
    expect(readdirSync(dir).sort()).toEqual(['format.json', 'supervisor.lock']);
    folder.release();
  });

  it.each([false, true])('leaves a folder alone that is not ours (--fresh %s)', async (fresh) => {
    mkdirSync(dir);
    write('thesis.txt', 'years of work');
    await expect(openDataFolder({ dir, engines, fresh })).rejects.toThrow(/format\.json/);
    expect(readdirSync(dir)).toEqual(['thesis.txt']);
  });

  it('ends what a killed supervisor left running on this folder', async () => {
    (await openDataFolder({ dir, engines })).release();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
    const identity = identityOf(child.pid ?? 0) ?? { pid: 0, startTime: '' };
    write('processes.json', [{ ...identity, name: 'statistics', command: '', stopSignal: 'SIGTERM' }]);
    write('supervisor.lock', { pid: process.pid, startTime: 'another boot/1' });
    const folder = await openDataFolder({ dir, engines });
    expect(folder.cleared).toEqual(['statistics']);
    expect(isAlive(identity)).toBe(false);
    folder.release();
  });
});
