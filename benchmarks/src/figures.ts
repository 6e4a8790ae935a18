import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU seconds that a process has used, user and system, from /proc (Linux). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in MiB, from /proc (Linux). */
export function residentMib(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/** Nearest-rank quantile of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** `min / median / max`, rounded to `digits`. */
export function spread(values: readonly number[], digits = 0): string {
  return [quantile(values, 0), quantile(values, 0.5), quantile(values, 1)]
    .map((one) => one.toFixed(digits))
    .join(' / ');
}
