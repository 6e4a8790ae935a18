import { pathToFileURL } from 'node:url';

// Preloaded (--import) into the Node programs a supervisor starts: when the supervisor is gone, however it ended, the
// channel to it closes and the program ends itself as it would on SIGTERM, or after a deadline without ceremony.
const killAfterMs = 15_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs).unref();
});

// Begun before its time: loads what takes longest, and goes on when it is told to.
const { SUPERVISED_WARM_MODULE: warmModule } = process.env;
if (warmModule !== undefined) {
  delete process.env.SUPERVISED_WARM_MODULE;
  const told = new Promise((resolve) => {
    process.once('message', resolve);
  });
  await import(pathToFileURL(warmModule).href);
  await told;
}
process.channel?.unref();
