import { parseEnv, threadsNeeded } from './env.js';
import { ensureProcessSettings } from './process-settings.js';

// Exit codes of sysexits.h: wrong settings, and everything else that keeps the program from starting.
const EXIT_CONFIG = 78;
const EXIT_UNAVAILABLE = 69;

function fail(error: unknown, code: number): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(code);
}

function settings() {
  try {
    return parseEnv(process.env);
  } catch (error) {
    return fail(error, EXIT_CONFIG);
  }
}

const env = settings();
ensureProcessSettings(threadsNeeded(env), process.env);
// Loaded only now: it brings the engine, half a gigabyte that the call above may start over without.
const { startApp } = await import('./app.js');
const app = await startApp(env).catch((error: unknown) => fail(error, EXIT_UNAVAILABLE));
let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  // Closing the engine under a statement that does not end would abort the process; killing it loses nothing that was
  // acknowledged.
  const patience = setTimeout(() => process.kill(process.pid, 'SIGKILL'), env.CLICKHOUSE_LOCAL_DRAIN_MS + 10_000);
  app.stop().then(
    () => {
      clearTimeout(patience);
      process.exit(0);
    },
    (error: unknown) => fail(error, EXIT_UNAVAILABLE),
  );
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

// Whoever reads this line may send the signal at once.
console.log(`listening ${app.url}`);
