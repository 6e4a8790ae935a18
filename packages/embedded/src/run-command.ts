import { spawnManaged, type ProcessExit } from './managed-process.js';
import type { ProcessRegistry } from './process-registry.js';

export interface CommandResult extends ProcessExit {
  readonly lines: readonly string[];
}

/** Runs a program to its end, within the deadline, and returns what it wrote (the last 500 lines). */
export async function runCommand(
  name: string,
  command: string,
  args: readonly string[],
  options: {
    timeoutMs: number;
    cwd?: string;
    uid?: number;
    gid?: number;
    env?: NodeJS.ProcessEnv;
    registry?: ProcessRegistry;
    onLine?: (line: string) => void;
  },
): Promise<CommandResult> {
  const { timeoutMs, onLine, ...where } = options;
  const lines: string[] = [];
  const child = await spawnManaged({
    name,
    command,
    args,
    ...where,
    output: {
      onLine: (line) => {
        lines.push(line);
        if (lines.length > 500) lines.shift();
        onLine?.(line);
      },
    },
    stopGraceMs: 1_000,
  });
  const timer = setTimeout(() => void child.stop(), timeoutMs);
  const exit = await child.exited;
  clearTimeout(timer);
  return { ...exit, lines };
}
