import { clearRun, runFolderVariable } from './run-folder.mjs';

export default async function globalTeardown() {
  const folder = process.env[runFolderVariable];
  if (folder !== undefined) await clearRun(folder);
}
