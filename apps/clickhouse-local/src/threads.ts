/**
 * Makes sure that Node's thread pool is large enough for every session to run at once: the engine's calls run on it,
 * and its default of four would let two long writes and two long reads hold up everything else. Its size is fixed
 * before the first line of this program runs, so the program is started over in the same process with the size set.
 */
export function ensureThreads(needed: number, env: Record<string, string | undefined>): void {
  if (Number(env['UV_THREADPOOL_SIZE'] ?? 4) >= needed) return;
  if (process.execve === undefined) throw new Error(`Set UV_THREADPOOL_SIZE=${needed} to start this program.`);
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...variables,
    UV_THREADPOOL_SIZE: String(needed),
  });
}
