import { resolve } from 'node:path';

/** Has a Node program write `<name>.cpuprofile` to the folder when it ends (scripts/flame-graph.mjs draws it); nothing without a folder. */
export function profiled(folder: string | undefined, name: string): NodeJS.ProcessEnv {
  if (folder === undefined) return {};
  const file = `--cpu-prof-dir=${resolve(folder)} --cpu-prof-name=${name}.cpuprofile`;
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=200 ${file}` };
}
