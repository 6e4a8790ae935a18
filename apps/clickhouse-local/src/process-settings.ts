/**
 * Makes sure that this process has what must be settled before its first line runs, by starting the program over in
 * the same process when it has not:
 * - a thread pool large enough for every session to run at once: the engine's calls run on it, and with the usual four
 *   threads a few long statements would hold up everything else;
 * - the time zone UTC, in which the engine reads and writes every DateTime that names no other.
 *
 * @throws Error when this Node.js cannot start a program over.
 */
export function ensureProcessSettings(threads: number, env: Record<string, string | undefined>): void {
  if (Number(env['UV_THREADPOOL_SIZE'] ?? 4) >= threads && env['TZ'] === 'UTC') return;
  if (process.execve === undefined)
    throw new Error(`Set UV_THREADPOOL_SIZE=${threads} and TZ=UTC to start this program.`);
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...variables,
    UV_THREADPOOL_SIZE: String(Math.max(threads, Number(env['UV_THREADPOOL_SIZE'] ?? 0))),
    TZ: 'UTC',
  });
}
