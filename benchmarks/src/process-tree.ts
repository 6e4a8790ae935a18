import { readdirSync, readFileSync } from 'node:fs';
import { ticksPerSecond } from './figures.js';

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** CPU seconds of the process itself, user and system. */
  readonly own: number;
  /** The same of its children that have ended and were waited for. */
  readonly ended: number;
}

function timesOf(pid: number): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // it has ended since it was listed
  }
  // The program's name stands in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
  return { pid, parent: Number(fields[1]), own: seconds(11), ended: seconds(13) };
}

/**
 * CPU seconds of a process and all its descendants, from /proc (Linux). Each counts under its own name in `names` or that
 * of the nearest ancestor which has one; children that have ended count under `ended of <name>`.
 */
export function treeCpuSeconds(root: number, names: ReadonlyMap<number, string>): Map<string, number> {
  const running = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (timesOf(Number(entry)) ?? []) : []));
  const children = Map.groupBy(running, ({ parent }) => parent);
  const spent = new Map<string, number>();
  const add = (name: string, seconds: number) => {
    if (seconds > 0) spent.set(name, (spent.get(name) ?? 0) + seconds);
  };
  const visit = (one: ProcessTimes, inherited: string) => {
    const name = names.get(one.pid) ?? inherited;
    add(name, one.own);
    add(`ended of ${name}`, one.ended);
    for (const child of children.get(one.pid) ?? []) visit(child, name);
  };
  const top = running.find(({ pid }) => pid === root);
  if (top !== undefined) visit(top, String(root));
  return spent;
}
