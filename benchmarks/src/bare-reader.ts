// Started by bench:hydrate: reads what a query app reads at its start, with the same statements, and discards it. Then it
// answers HTTP, so that its time is told as an app's readiness is.
import { Agent, createServer, request } from 'node:http';
import { createDataSource } from '@jetton-analytics/postgres';
import { hydrationQueries } from '@jetton-analytics/read-model';

const env = (name: string): string => process.env[name] ?? '';
const agent = new Agent({ keepAlive: true });

/** Bytes of the answer to a statement, which is read and left. */
function discard(sql: string, params: Readonly<Record<string, string | number>>): Promise<number> {
  const url = new URL(env('CLICKHOUSE_URL'));
  url.searchParams.set('database', env('CLICKHOUSE_DATABASE'));
  for (const [name, value] of Object.entries(params)) url.searchParams.set(`param_${name}`, String(value));
  const headers = { 'X-ClickHouse-Local-Lane': 'read' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`status ${response.statusCode}: ${sql}`)),
      );
    });
    sent.on('error', reject).end(`${sql} FORMAT RowBinaryWithNamesAndTypes`);
  });
}

async function discardRows(): Promise<number> {
  const rowsMax = 5_000;
  const database = await createDataSource(env('DATABASE_URL'), { application: 'benchmark' }).initialize();
  let last = '0';
  for (;;) {
    const rows = await database.query<{ change_number: string }[]>(
      'SELECT * FROM jetton_metadata WHERE change_number > $1 ORDER BY change_number LIMIT $2',
      [last, rowsMax],
    );
    last = rows.at(-1)?.change_number ?? last;
    if (rows.length < rowsMax) break;
  }
  await database.destroy();
  return 0;
}

const engine = hydrationQueries(Number(env('JETTONS')));
const sizes = await Promise.all([
  discardRows(),
  ...engine.map(async (statements) => {
    let bytes = 0;
    for (const { sql, params } of statements) bytes += await discard(sql, params);
    return bytes;
  }),
]);
const bytes = sizes.reduce((sum, size) => sum + size, 0);
createServer((_request, response) => response.end(String(bytes))).listen(Number(env('PORT')), env('HOST'));
process.on('SIGTERM', () => process.exit(0));
