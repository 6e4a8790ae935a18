import { runAdmin } from './run-admin.js';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => process.exit(0));
// An empty value, as in a copied .env file, means "not set".
const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
process.exitCode = await runAdmin(process.argv.slice(2), env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
});
// What a command gave up waiting for must not keep the process; what it printed must get out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
