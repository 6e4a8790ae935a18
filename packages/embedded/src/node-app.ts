import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LaunchError } from './launch-error.js';
import { spawnManaged, type ManagedProcess, type ManagedProcessOptions } from './managed-process.js';

export interface NodeAppOptions extends Omit<ManagedProcessOptions, 'command' | 'args' | 'ipc'> {
  /** The built program, an absolute path. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /**
   * Begins the process now and lets it load this module of the program (an absolute path), but runs the program itself
   * only when `runWhen` resolves. Where that rejects it waits on until it is stopped.
   */
  readonly warm?: { readonly module: string; readonly runWhen: Promise<unknown> };
}

/** Read by Node: compiled code is kept there between starts. (The stack enables the same cache for itself.) */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
/** Read by supervised.mjs. */
const warmModuleVariable = 'SUPERVISED_WARM_MODULE';
const supervised = join(dirname(fileURLToPath(import.meta.url)), '..', 'supervised.mjs');

/**
 * Starts one of our own Node programs with this Node. Unless it is let go (`unref`), it also ends by itself when this
 * process dies. Throws a LaunchError when it is not built, ends, or is not ready in time.
 */
export function spawnNodeApp({
  script,
  args = [],
  nodeArgs = [],
  warm,
  ...options
}: NodeAppOptions): Promise<ManagedProcess> {
  if (!existsSync(script)) throw new LaunchError(`${options.name} is not built (no ${script}): run npm run build`);
  const tied = options.unref !== true;
  return spawnManaged({
    ...options,
    command: process.execPath,
    args: [...(tied ? ['--import', pathToFileURL(supervised).href] : []), ...nodeArgs, script, ...args],
    ipc: tied,
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...(options.env ?? process.env),
      ...(warm !== undefined && { [warmModuleVariable]: warm.module }),
    },
    ...(warm !== undefined && { runWhen: warm.runWhen }),
  });
}
