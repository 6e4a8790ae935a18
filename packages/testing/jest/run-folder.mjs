// What the shared stores of a test run leave on the machine, and how it is cleared. Plain JavaScript: Jest's global
// hooks and the watchdog run before and after everything that could compile TypeScript.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';

export const runFolderVariable = 'JETTON_ANALYTICS_TEST_RUN';
export const runFolderPrefix = 'jetton-analytics-test-';

/** The same text as packages/embedded's startTimeOf: the registries of the stores are written with it. */
function startTimeOf(pid) {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .replace(/\s+/g, ' ');
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

export const selfIdentity = () => ({ pid: process.pid, startTime: startTimeOf(process.pid) });
export const isAlive = ({ pid, startTime }) => startTimeOf(pid) === startTime;

const readJson = (file, fallback) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return fallback;
  }
};

const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended meanwhile
  }
};

async function stop(entry) {
  send(entry.pid, entry.stopSignal);
  for (const end = performance.now() + 5_000; isAlive(entry) && performance.now() < end;) await sleep(25);
  if (isAlive(entry)) send(-entry.pid, 'SIGKILL');
  while (isAlive(entry)) await sleep(25);
}

/** Ends every store of the run that still lives and removes its folder. */
export async function clearRun(folder) {
  const stores = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const left = stores.flatMap(({ name }) => readJson(join(folder, name, 'processes.json'), [])).filter(isAlive);
  await Promise.all(left.map(stop));
  rmSync(folder, { recursive: true, force: true });
}

/** Clears the runs whose Jest has died without doing it. */
export async function clearAbandonedRuns() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(runFolderPrefix))) {
    const folder = join(tmpdir(), name);
    const owner = readJson(join(folder, 'owner.json'), undefined);
    if (owner !== undefined && !isAlive(owner)) await clearRun(folder);
  }
}
