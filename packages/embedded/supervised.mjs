// Preloaded (--import) into the Node programs a supervisor starts: when the supervisor is gone, however it ended, the
// channel to it closes and the program ends itself as it would on SIGTERM, or after a deadline without ceremony.
const killAfterMs = 15_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs).unref();
});
process.channel?.unref();
