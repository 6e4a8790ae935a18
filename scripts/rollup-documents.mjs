// Writes the JSON Schemas of the rollup topics and docs/asyncapi.yaml from the contracts in packages/common. Needs a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { rollupAsyncApi, rollupJsonSchemas } from '../packages/common/dist/index.js';

const schemas = new URL('../packages/common/src/rollups/schemas/', import.meta.url);
mkdirSync(schemas, { recursive: true });
for (const [name, text] of rollupJsonSchemas()) writeFileSync(new URL(name, schemas), text);
writeFileSync(new URL('../docs/asyncapi.yaml', import.meta.url), rollupAsyncApi());
