// SIGTERM under load, on demand: npm run test:sigterms -- --times 100 [--rate 300] [--seed <n>] [--report <file>]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importTypeScript } from './strip-types.mjs';

importTypeScript();
const { copyBuilt } = await import('./src/faults/built-copy.ts');
const { areClean, sigtermText } = await import('./src/faults/sigterm-text.ts');
const { runSigterms } = await import('./src/faults/run-sigterms.ts');
const { ownStores } = await import('./src/faults/stores.ts');

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    rate: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    report: { type: 'string' },
  },
});
const options = { seed: Number(values.seed), times: Number(values.times), recordsPerSecond: Number(values.rate) };
const tell = (line) => process.stderr.write(`${line}\n`);
tell(`seed ${options.seed}; --seed ${options.seed} repeats the feed and the moments`);

const built = copyBuilt();
let exitCode = 1;
try {
  const stores = await ownStores(built.root, tell);
  try {
    const report = await runSigterms(options, { root: built.root, stores, tell });
    const date = new Date().toISOString().slice(0, 10);
    const text = sigtermText(report, { command: `npm run test:sigterms -- ${process.argv.slice(2).join(' ')}`, date });
    process.stdout.write(text);
    const folder = fileURLToPath(new URL('../../docs/reports', import.meta.url));
    mkdirSync(folder, { recursive: true });
    const file = values.report ?? join(folder, `sigterm-${date}-seed-${options.seed}.md`);
    writeFileSync(file, text);
    tell(`written to ${file}`);
    exitCode = areClean(report) ? 0 : 1;
  } finally {
    await stores.stop();
  }
} finally {
  built.remove();
}
process.exit(exitCode);
