import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@jetton-analytics/service';
import { runAdmin } from '../src/run-admin.js';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The report of a command that ran with --json. Throws where there is none. */
  json(): unknown;
}

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const timeoutMs = 60_000;

const ended = (code: number, out: string, err: string): Ended => ({
  code,
  out,
  err,
  json() {
    if (out === '') throw new Error(`no report, exit code ${code}: ${err}`);
    return JSON.parse(out) as unknown;
  },
});

/** Runs the built tool as a process of its own, with these settings alone. */
export function admin(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [main, ...args], options, (error, out, err) => {
      if (error !== null && typeof error.code !== 'number')
        reject(new Error(`the tool did not end: ${err}`, { cause: error }));
      else resolve(ended(Number(error?.code ?? 0), out, err));
    });
  });
}

/** The same in this process, which spares the start of one: for what does not depend on it. */
export async function adminHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<Ended> {
  let [out, err] = ['', ''];
  const streams = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await runAdmin(args, env, streams, clock);
  return ended(code, out, err);
}

/** The JSON report of a command that must succeed. */
export async function report(args: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
  const end = await adminHere([...args, '--json'], env);
  if (end.code !== 0) throw new Error(`exit code ${end.code}: ${end.out}${end.err}`);
  return end.json();
}
