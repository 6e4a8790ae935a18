import { clickhouseSettings, migrate } from '@jetton-analytics/clickhouse';
import { loadSettings } from '@jetton-analytics/service';
import { z } from 'zod';

const settings = loadSettings(z.object(clickhouseSettings));
const applied = await migrate(settings);
console.log(applied.length === 0 ? 'ClickHouse: the schema is current' : `ClickHouse: applied ${applied.join(', ')}`);
