import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from './run-folder.js';

const sequencer = join(repositoryRoot, 'packages', 'testing', 'jest', 'longest-first.mjs');
const jest = join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
const kinds = ['.e2e-spec.ts', '.int.spec.ts', '.spec.ts'];
const kindOf = (path: string) => kinds.findIndex((kind) => path.endsWith(kind));

describe('the order of the specs', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'jetton-order-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (cwd: string, ...args: string[]): string =>
    execFileSync(process.execPath, [jest, '--cacheDirectory', join(folder, 'cache'), ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const listed = (cwd: string, ...args: string[]): string[] =>
    (JSON.parse(run(cwd, '--listTests', '--json', ...args)) as string[]).map((path) => relative(cwd, path));

  it('where nothing was measured, begins with the suites known to be long, then goes from whole service to pure rule', async () => {
    const { longSuites } = (await import(sequencer)) as { longSuites: readonly string[] };
    const specs = listed(repositoryRoot);
    // Each is there: a suite that is renamed or goes takes its entry along.
    expect(specs.slice(0, longSuites.length)).toEqual(longSuites);
    const rest = specs.slice(longSuites.length).map(kindOf);
    expect(rest.length).toBeGreaterThan(200);
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
  }, 300_000);

  it('goes by the time of the last run where that is known', () => {
    const spec = (name: string, body: string) => writeFileSync(join(folder, name), `test('it', ${body});\n`);
    spec('short.e2e-spec.ts', '() => undefined');
    spec('long.spec.ts', '() => new Promise((resolve) => setTimeout(resolve, 1_500))');
    const config = {
      rootDir: folder,
      testSequencer: sequencer,
      transform: {},
      testRegex: 'spec[.]ts$',
      watchman: false,
    };
    const args = ['--config', JSON.stringify(config)];
    expect(listed(folder, ...args).map((path) => basename(path))).toEqual(['short.e2e-spec.ts', 'long.spec.ts']);
    run(folder, ...args);
    expect(listed(folder, ...args).map((path) => basename(path))).toEqual(['long.spec.ts', 'short.e2e-spec.ts']);
  }, 300_000);
});
