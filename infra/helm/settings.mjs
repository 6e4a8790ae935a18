// Writes the settings that values may name into values.schema.json from .env.example, or compares them (--check).
import { readFileSync, writeFileSync } from 'node:fs';

const schemaFile = new URL('jetton-analytics/values.schema.json', import.meta.url);
const apps = ['gateway', 'statistics', 'metrics', 'aggregator'];

// What the chart sets from values of its own.
const own =
  /^(HOST|PORT|OTEL_EXPORTER_OTLP_HEADERS|METRICS_PORT|SHUTDOWN_\w+|STACK_SUPERVISED|CONSUMER_INSTANCE|STATISTICS_URL|METRICS_URL|DATABASE_URL|CLICKHOUSE_(URL|DATABASE|CLUSTER|USER|PASSWORD)|KAFKA_\w+|SOURCE_KAFKA_(?!STATES)\w+|REDIS_URL|CURSOR_SECRET|PUBLIC_URL|DEX_(TRADES|POOLS)_TOPIC|JETTON_METADATA_TOPIC|BALANCES_TOPIC|WATERMARK_TOPIC)$/;

const settingsOf = Object.fromEntries(apps.map((app) => [app, []]));
let users = [];
for (const line of readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n')) {
  const comment = line.match(/^# .*\[([a-z, ]+)\]$/);
  if (comment !== null) users = comment[1] === 'all apps' ? apps : comment[1].split(', ');
  const name = line.match(/^#?([A-Z][A-Z0-9_]+)=/)?.[1];
  if (name !== undefined && !own.test(name)) for (const app of users) settingsOf[app].push(name);
}
function propertiesOf(names) {
  const sorted = [...new Set(names)];
  sorted.sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map((name) => [name, { $ref: '#/$defs/setting' }]));
}

const text = readFileSync(schemaFile, 'utf8');
const schema = JSON.parse(text);
schema.properties.settings.properties = propertiesOf(Object.values(settingsOf).flat());
for (const app of apps) schema.properties[app].properties.settings.properties = propertiesOf(settingsOf[app]);
const isCurrent = JSON.stringify(schema) === JSON.stringify(JSON.parse(text));
if (!process.argv.includes('--check')) {
  writeFileSync(schemaFile, `${JSON.stringify(schema, undefined, 2)}\n`);
} else if (!isCurrent) {
  console.error('values.schema.json differs from .env.example: run node infra/helm/settings.mjs');
  process.exit(1);
}
