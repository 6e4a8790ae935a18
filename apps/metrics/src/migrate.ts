import { createDataSource, migrate, postgresSettings } from '@jetton-analytics/postgres';
import { bundledRates, bundledSource, importRates } from '@jetton-analytics/rates';
import { settingsOrExit } from '@jetton-analytics/service/process';
import { z } from 'zod';

/** Gives every currency a rate from the start; rates that are there stay. */
async function importBundledRates(url: string): Promise<number> {
  const dataSource = createDataSource(url, { application: 'jetton-analytics migrate', connectionsMax: 1 });
  await dataSource.initialize();
  try {
    const options = { by: 'migrate', source: bundledSource, keepExisting: true };
    return (await importRates(dataSource, bundledRates(), options)).inserted;
  } finally {
    await dataSource.destroy();
  }
}

const settings = settingsOrExit('metrics migrate', z.object(postgresSettings));
try {
  const applied = await migrate(settings.DATABASE_URL);
  console.log(applied.length === 0 ? 'PostgreSQL is up to date' : `PostgreSQL: applied ${applied.join(', ')}`);
  const imported = await importBundledRates(settings.DATABASE_URL);
  if (imported > 0) console.log(`PostgreSQL: imported ${imported} bundled rates`);
} catch (error) {
  const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
  console.error(`PostgreSQL was not migrated: ${reason}`);
  process.exitCode = 1;
}
