import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from './launch-error.js';
import { commandLineOf, identityOf } from './process-identity.js';
import { stopProcess } from './stop-process.js';

/**
 * Ends a server that a killed supervisor left on this folder, and removes the pid file of one that is gone: its pid may
 * belong to another program by now, and then PostgreSQL would refuse to start. The server is recognised by the folder in
 * its arguments; any other process is left alone. Returns whether one was ended.
 */
export async function clearStalePostmaster(databaseDir: string): Promise<boolean> {
  const file = join(databaseDir, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
  const identity = Number.isSafeInteger(pid) && pid > 0 ? identityOf(pid) : undefined;
  const ours = identity !== undefined && commandLineOf(pid)?.includes(databaseDir) === true;
  if (ours) await stopProcess(identity, { signal: 'SIGINT', graceMs: 15_000 });
  rmSync(file, { force: true });
  return ours;
}
