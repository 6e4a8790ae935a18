import { enableCompileCache } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The checkout, three folders up; another one for tests of this program with programs of their own in it.
const root = process.env['STACK_ROOT'] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'));
const { runMain } = await import('./run-main.js');
const [, program = '', ...args] = process.argv;
// The programs it starts are of the same make: bundled ones load in about half the time.
const build = basename(dirname(program)) === 'bundle' ? 'bundle' : 'dist';
await runMain({ root, build }, args);
