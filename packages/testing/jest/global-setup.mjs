// Makes the folder in which the specs of this run start the stores they share; the stores themselves start when the
// first spec asks, so that pure specs do not pay for them.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clearAbandonedRuns, runFolderPrefix, runFolderVariable, selfIdentity } from './run-folder.mjs';

export default async function globalSetup() {
  await clearAbandonedRuns();
  const folder = mkdtempSync(join(tmpdir(), runFolderPrefix));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user when the tests run as root
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(selfIdentity()));
  process.env[runFolderVariable] = folder;
  const watchdog = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  spawn(process.execPath, [watchdog, folder], { detached: true, stdio: 'ignore' }).unref();
}
