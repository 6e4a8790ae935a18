import { runAdmin } from './run-admin.js';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// What a command gave up waiting for must not keep the process; what it printed must get out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
