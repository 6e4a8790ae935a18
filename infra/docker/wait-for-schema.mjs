// `node wait-for-schema.mjs clickhouse postgres`: ends with 0 once the stores named have the schema that this image needs,
// with 1 after SCHEMA_WAIT_SECONDS (600) and at once where a migration was applied with other content. It reads and changes
// nothing. The newest migration that the image knows is not waited for, since its apps do without it until it is there;
// newer ones are no reason to wait, so that a rollback starts.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const pollMs = 2_000;
const deadlineSeconds = Number(process.env.SCHEMA_WAIT_SECONDS ?? 600);

/** Wrong settings do not mend themselves: the code that the apps end with then. */
function settingsOf(shape) {
  const parsed = z.object(shape).safeParse(process.env);
  if (parsed.success) return parsed.data;
  console.error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return process.exit(78);
}

async function missingInClickHouse() {
  const { clickhouseSettings, createReader, MigrationChangedError, missingMigrations } =
    await import('@jetton-analytics/clickhouse');
  const reader = createReader(settingsOf(clickhouseSettings), { application: 'wait for schema' });
  try {
    return await missingMigrations(reader);
  } catch (error) {
    if (!(error instanceof MigrationChangedError)) throw error;
    console.error(`ClickHouse: ${error.message}`);
    return process.exit(1);
  } finally {
    await reader.close();
  }
}

async function missingInPostgres() {
  const { createDataSource, missingMigrations, postgresSettings } = await import('@jetton-analytics/postgres');
  const { DATABASE_URL } = settingsOf(postgresSettings);
  const dataSource = createDataSource(DATABASE_URL, { application: 'wait for schema', connectionsMax: 1 });
  await dataSource.initialize();
  try {
    return await missingMigrations(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

const stores = { clickhouse: missingInClickHouse, postgres: missingInPostgres };
const names = process.argv.slice(2);
if (names.length === 0 || names.some((name) => !Object.hasOwn(stores, name))) {
  console.error('usage: node wait-for-schema.mjs clickhouse|postgres …');
  process.exit(2);
}

/** A sentence without what a driver's message may hold: it names hosts, never a password. */
const reasonOf = (error) => (error instanceof Error && error.message !== '' ? error.message : String(error));

const until = performance.now() + deadlineSeconds * 1_000;
for (const name of names) {
  let told;
  for (;;) {
    let state;
    try {
      const missing = await stores[name]();
      if (missing.length === 0) break;
      state = `waits for ${missing.join(', ')}`;
    } catch (error) {
      state = `does not tell its schema: ${reasonOf(error)}`;
    }
    if (state !== told) console.log(`${name} ${state}`);
    told = state;
    if (performance.now() >= until) {
      console.error(`${name}: not ready after ${deadlineSeconds} s. Look at the migration job and its log.`);
      process.exit(1);
    }
    await sleep(pollMs);
  }
  console.log(`${name}: the schema is there`);
}
