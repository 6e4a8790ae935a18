// Removes the development dependencies of the workspaces, for images: their builds need those of the root alone, and
// `npm ci --omit=dev` installs what a workspace depends on even where only specs depend on that workspace.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
for (const parent of ['apps', 'packages']) {
  for (const name of readdirSync(new URL(parent, root))) {
    const file = new URL(`${parent}/${name}/package.json`, root);
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    delete manifest.devDependencies;
    writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}
