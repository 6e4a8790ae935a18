import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from './launch-error.js';
import { isAlive, type ProcessIdentity } from './process-identity.js';

export interface StopOptions {
  /** What asks the process to end; PostgreSQL's fast shutdown is SIGINT. */
  readonly signal: NodeJS.Signals;
  /** How long it may take before it is killed. */
  readonly graceMs: number;
}

const pollMs = 25;
const killDeadlineMs = 5_000;

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

async function goneWithin(identity: ProcessIdentity, deadlineMs: number): Promise<boolean> {
  const end = performance.now() + deadlineMs;
  while (isAlive(identity)) {
    if (performance.now() >= end) return false;
    await sleep(pollMs);
  }
  return true;
}

/**
 * Ends one process, first by asking and after `graceMs` by SIGKILL; when it leads a process group, what is left of that
 * is killed too.
 * Sends nothing to a pid that meanwhile belongs to another program. Throws when the process outlives SIGKILL by 5 s.
 */
export async function stopProcess(identity: ProcessIdentity, { signal, graceMs }: StopOptions): Promise<void> {
  if (!isAlive(identity)) return;
  send(identity.pid, signal);
  const gone = await goneWithin(identity, graceMs);
  const ledGroup = send(-identity.pid, 'SIGKILL'); // what it started and left behind goes too
  if (gone) return;
  if (!ledGroup) send(identity.pid, 'SIGKILL');
  if (!(await goneWithin(identity, killDeadlineMs))) throw new Error(`process ${identity.pid} does not end`);
}
