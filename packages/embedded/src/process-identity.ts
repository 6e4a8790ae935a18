import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A pid alone may have been given to another program since; with the time it started at it names one process for good. */
export const ProcessIdentity = z.object({ pid: z.int().positive(), startTime: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

let bootId: string | undefined;

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // the process is gone, or the platform has no /proc
  }
}

function linuxStartTime(pid: number): string | undefined {
  const stat = readOptional(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may hold spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const ticksSinceBoot = fields[19];
  if (state === 'Z' || state === 'X' || ticksSinceBoot === undefined) return undefined;
  bootId ??= readOptional('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${bootId}/${ticksSinceBoot}`;
}

function otherStartTime(pid: number): string | undefined {
  try {
    const [state = '', ...started] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5_000,
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') || started.length === 0 ? undefined : started.join(' ');
  } catch {
    return undefined; // ps exits with 1 when there is no such process
  }
}

/** When the process started, in a form that is only good for comparing; undefined when it is not running. */
function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStartTime(pid) : otherStartTime(pid);
}

/** The identity of a running process, or undefined when it is gone. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Whether exactly this process still runs; a zombie does not. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return startTimeOf(pid) === startTime;
}

/** The program and arguments of a process, or undefined when they cannot be read. */
export function commandLineOf(pid: number): readonly string[] | undefined {
  const text = readOptional(`/proc/${pid}/cmdline`);
  if (text !== undefined) return text.split('\0').filter((part) => part !== '');
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 })
      .trim()
      .split(' ');
  } catch {
    return undefined;
  }
}
