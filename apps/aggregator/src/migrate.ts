import { clickhouseSettings, migrate } from '@jetton-analytics/clickhouse';
import { loadSettings } from '@jetton-analytics/service/process';
import { z } from 'zod';
import { oneShot } from './one-shot.js';

await oneShot(async () => {
  const applied = await migrate(loadSettings(z.object(clickhouseSettings)));
  return applied.length === 0 ? 'ClickHouse: the schema is current' : `ClickHouse: applied ${applied.join(', ')}`;
});
