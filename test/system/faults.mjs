// The fault suite on demand: npm run test:faults -- --events 1000000 --kills 500 --rebalances 100 --outages 50 --minutes 40 [--seed <n>]
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importTypeScript } from './strip-types.mjs';

importTypeScript();
const { copyBuilt } = await import('./src/faults/built-copy.ts');
const { isClean, reportText } = await import('./src/faults/report-text.ts');
const { wholeRun } = await import('./src/faults/fault-options.ts');
const { runFaults } = await import('./src/faults/run-faults.ts');
const { ownStores } = await import('./src/faults/stores.ts');

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '60' },
    rebalances: { type: 'string', default: '20' },
    outages: { type: 'string', default: '17' },
    minutes: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    instances: { type: 'string', default: '3' },
    partitions: { type: 'string', default: '6' },
    replays: { type: 'string', default: '2' },
    settle: { type: 'string', default: '240' },
    // A file for everything that the aggregators write.
    log: { type: 'string' },
    report: { type: 'string' },
  },
});
const options = {
  seed: Number(values.seed),
  events: Number(values.events),
  kills: Number(values.kills),
  rebalances: Number(values.rebalances),
  outages: Number(values.outages),
  seconds: Number(values.minutes) * 60,
  instances: Number(values.instances),
  partitions: Number(values.partitions),
  replays: Number(values.replays),
  ...wholeRun,
  statementMs: 15_000,
  settleSeconds: Number(values.settle),
};
const tell = (line) => process.stderr.write(`${line}\n`);
const given = process.argv.slice(2).join(' ');
const command = `npm run test:faults -- ${given}`;
tell(`seed ${options.seed}; --seed ${options.seed} repeats the feed and the order of the faults`);

const built = copyBuilt();
let exitCode = 1;
try {
  const stores = await ownStores(built.root, tell);
  const interrupted = async () => {
    await stores.stop();
    built.remove();
    process.exit(130);
  };
  process.once('SIGINT', () => void interrupted());
  process.once('SIGTERM', () => void interrupted());
  try {
    // Days of simulated time, however many events.
    const secondsPerEvent = Math.max(0.3, Math.min(1, 200_000 / options.events));
    const report = await runFaults(options, {
      root: built.root,
      stores,
      tell,
      secondsPerEvent,
      ...(values.log !== undefined && { onLine: (index, line) => appendFileSync(values.log, `${index} ${line}\n`) }),
    });
    const date = new Date().toISOString().slice(0, 10);
    const text = reportText(report, { command, date });
    process.stdout.write(text);
    const folder = fileURLToPath(new URL('../../docs/reports', import.meta.url));
    mkdirSync(folder, { recursive: true });
    const file = values.report ?? join(folder, `faults-${date}-seed-${options.seed}.md`);
    writeFileSync(file, text);
    tell(`written to ${file}`);
    exitCode = isClean(report) ? 0 : 1;
  } finally {
    await stores.stop();
  }
} finally {
  built.remove();
}
process.exit(exitCode);
