import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The checkout, three folders up; another one for tests of this program with programs of their own in it.
const root = process.env['STACK_ROOT'] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'));
const { runMain } = await import('./run-main.js');
await runMain(root, process.argv.slice(2));
