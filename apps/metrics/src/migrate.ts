import { migrate, postgresSettings } from '@jetton-analytics/postgres';
import { settingsOrExit } from '@jetton-analytics/service';
import { z } from 'zod';

const settings = settingsOrExit('metrics migrate', z.object(postgresSettings));
try {
  const applied = await migrate(settings.DATABASE_URL);
  console.log(applied.length === 0 ? 'PostgreSQL is up to date' : `PostgreSQL: applied ${applied.join(', ')}`);
} catch (error) {
  const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
  console.error(`PostgreSQL was not migrated: ${reason}`);
  process.exitCode = 1;
}
