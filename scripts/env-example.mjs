// Writes .env.example from the schemas of the apps' settings, or compares it with them (--check). Needs a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const file = new URL('../.env.example', import.meta.url);
// Naming one of these replaces an embedded store by a running one, which a copied file must not do by itself.
const stores = new Set(['KAFKA_BROKERS', 'DATABASE_URL', 'CLICKHOUSE_URL']);
const apps = ['gateway', 'statistics', 'metrics', 'aggregator'];

const settings = new Map();
for (const app of apps) {
  const { Env } = await import(new URL(`../apps/${app}/dist/env.js`, import.meta.url).href);
  const { properties } = z.toJSONSchema(Env, { io: 'input', unrepresentable: 'any' });
  for (const [name, schema] of Object.entries(properties)) {
    const known = settings.get(name) ?? { description: schema.description ?? '', defaults: new Map() };
    known.defaults.set(app, schema.default);
    settings.set(name, known);
  }
}

const lines = [
  '# Every setting of the apps with its default, made from their schemas by `npm run env:example`.',
  '# npm start needs none of them and reads .env where there is one. A line that begins with # is not set; setting',
  '# KAFKA_BROKERS, DATABASE_URL or CLICKHOUSE_URL replaces that embedded store by a running one.',
];
for (const [name, { description, defaults }] of settings) {
  const users = [...defaults.keys()];
  const values = [...new Set(defaults.values())];
  lines.push('', `# ${description} [${users.length === apps.length ? 'all apps' : users.join(', ')}]`);
  if (values.length > 1) lines.push(...users.map((app) => `# ${app}: ${defaults.get(app)}`));
  const [value] = values;
  if (stores.has(name)) lines.push(`#${name}=${value ?? ''}`);
  else lines.push(values.length > 1 || value === undefined ? `#${name}=` : `${name}=${value}`);
}
const text = `${lines.join('\n')}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('.env.example differs from the settings of the apps: run npm run env:example');
  process.exit(1);
}
