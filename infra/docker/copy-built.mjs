// Copies what was built of each workspace that the current folder holds: `node copy-built.mjs <folder of the build>`.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [, , built] = process.argv;
for (const parent of ['apps', 'packages'].filter((name) => existsSync(name))) {
  for (const name of readdirSync(parent)) cpSync(join(built, parent, name), join(parent, name), { recursive: true });
}
// Read by tools alone.
for (const name of ['package-lock.json', '.npmrc', 'turbo.json']) rmSync(name, { force: true });
