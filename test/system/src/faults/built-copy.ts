import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const scope = '@jetton-analytics';
const allApps = ['admin', 'aggregator', 'clickhouse-local', 'gateway', 'metrics', 'statistics'];
const kept = ['dist', 'bundle', 'package.json', 'migrations'];

/** The built service in a folder of its own: a later build of the checkout, or a patch of the copy, disturbs nobody. */
export interface BuiltCopy {
  readonly root: string;
  remove(): void;
}

/** Copies what is built of the packages and of these apps; everything else of node_modules is linked. */
export function copyBuilt(apps: readonly string[] = allApps): BuiltCopy {
  const root = mkdtempSync(join(tmpdir(), 'jetton-faults-built-'));
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, scope), { recursive: true });
  const workspaces = [
    ...apps.map((name) => ['apps', name] as const),
    ...readdirSync(join(checkout, 'packages')).map((name) => ['packages', name] as const),
  ];
  for (const [parent, name] of workspaces) {
    const from = join(checkout, parent, name);
    if (!existsSync(join(from, 'dist'))) continue;
    for (const part of kept.filter((one) => existsSync(join(from, one)))) {
      cpSync(join(from, part), join(root, parent, name, part), { recursive: true });
    }
    // Versions that no other workspace shares.
    if (existsSync(join(from, 'node_modules')))
      symlinkSync(join(from, 'node_modules'), join(root, parent, name, 'node_modules'));
    symlinkSync(join(root, parent, name), join(modules, scope, name));
  }
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    if (name !== scope && !name.startsWith('.')) symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
