// Installs the locked dependencies when they are missing or stale, so that `npm start` and `npm test` work on a fresh
// clone. No dependencies; runs on any Node >= 18 (on a fresh clone the pinned Node is not there yet).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lock = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json'); // written last by npm
const stamp = join(root, 'node_modules', '.bootstrap');
const hash = createHash('sha256').update(readFileSync(lock)).digest('hex');

function current() {
  if (!existsSync(installed)) return false;
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === hash;
  return statSync(installed).mtimeMs >= statSync(lock).mtimeMs; // somebody ran `npm ci` by hand
}

if (!current()) {
  console.error('Installing dependencies (npm ci), about a minute the first time ...');
  const started = Date.now();
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath; // the outer Node: npm ci deletes node_modules/.bin/node
  const result = npm
    ? spawnSync(node, [npm, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    : spawnSync('npm', args, {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
      });
  if (result.status !== 0) {
    console.error('npm ci failed; fix the error above and run the command again.');
    process.exit(result.status ?? 1);
  }
  console.error(`Dependencies ready in ${Math.round((Date.now() - started) / 1000)} s.`);
}
if (!existsSync(stamp)) writeFileSync(stamp, hash);
