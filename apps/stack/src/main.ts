import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './run-main.js';

// The checkout, three folders up; another one for tests of this program with programs of their own in it.
const root = process.env['STACK_ROOT'] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
await runMain(root, process.argv.slice(2));
