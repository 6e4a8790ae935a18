import { spawnSync } from 'node:child_process';

/** Whether a program can be run here; where it cannot, one line on stderr says which tests are skipped for want of it. */
export function hasProgram(name: string, tests: string): boolean {
  if (spawnSync(name, ['version'], { stdio: 'ignore' }).error === undefined) return true;
  process.stderr.write(`skipped: ${tests}, since there is no program ${name}\n`);
  return false;
}
