import { z } from 'zod';
import { RollupDataset, rollupTopicNames } from './datasets.js';
import { rollupRecords } from './records.js';
import { rollupEventSource, rollupEventType, rollupSchemaUrn } from './rollup-events.js';
import { rollupTopicConfigs } from './rollup-topics.js';
import { rollupServiceLevels } from './service-levels.js';
import { yamlOf } from './yaml.js';

const keys: Readonly<Record<RollupDataset, string>> = {
  jettonMinute: 'jetton|minute|windowStart in Unix seconds',
  jettonHour: 'jetton|hour|windowStart in Unix seconds',
  jettonDay: 'jetton|day|windowStart in Unix seconds',
  poolMinute: 'jetton|pool|minute|windowStart in Unix seconds',
  statistics: 'jetton|step',
};

const schemaFile = (dataset: RollupDataset) => `${rollupTopicNames[dataset]}.schema.json`;

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };

/** Every reference becomes a copy of what it names: many tools know neither $defs nor siblings of a $ref. */
function inlined(node: Json, definitions: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => inlined(item, definitions));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, child]) => [key, inlined(child, definitions)] as const);
  const { $ref, ...siblings } = Object.fromEntries(entries);
  if (typeof $ref !== 'string') return siblings;
  return { ...(inlined(definitions[$ref.replace('#/$defs/', '')], definitions) as object), ...siblings };
}

function schemaOf(dataset: RollupDataset): Json {
  const { $schema, $defs, ...schema } = z.toJSONSchema(rollupRecords[dataset], { io: 'input' });
  const named = inlined(schema as unknown as Json, ($defs ?? {}) as unknown as Readonly<Record<string, Json>>);
  return { $schema, $id: rollupSchemaUrn(dataset), ...(named as object) };
}

/** JSON Schemas (draft 2020-12) of the records by the name of the file each is kept in. Fields not named are allowed. */
export function rollupJsonSchemas(): Map<string, string> {
  return new Map(
    RollupDataset.options.map((dataset) => [schemaFile(dataset), `${JSON.stringify(schemaOf(dataset), null, 2)}\n`]),
  );
}

const text = (description: string) => ({ type: 'string', description });

function messageOf(dataset: RollupDataset) {
  return {
    name: rollupTopicNames[dataset],
    title: rollupRecords[dataset].meta()?.description,
    contentType: 'application/json',
    headers: {
      type: 'object',
      required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'ce_time', 'ce_dataschema', 'content-type'],
      properties: {
        ce_specversion: { type: 'string', const: '1.0' },
        ce_id: text('key|revision|open or final: of equal ids one is enough'),
        ce_source: { type: 'string', const: rollupEventSource },
        ce_type: { type: 'string', const: rollupEventType(dataset) },
        ce_time: { type: 'string', format: 'date-time', description: 'computedAt' },
        ce_dataschema: { type: 'string', const: rollupSchemaUrn(dataset) },
        'content-type': { type: 'string', const: 'application/json' },
      },
    },
    payload: { $ref: `../packages/common/src/rollups/schemas/${schemaFile(dataset)}` },
    bindings: { kafka: { key: text(keys[dataset]), bindingVersion: '0.5.0' } },
  };
}

function channelOf(dataset: RollupDataset) {
  const configs = new Map<string, string>(Object.entries(rollupTopicConfigs[dataset]));
  const retentionMs = configs.get('retention.ms');
  return {
    address: rollupTopicNames[dataset],
    title: rollupRecords[dataset].meta()?.description,
    description: 'Upsert by key where the revision is greater.',
    messages: { record: { $ref: `#/components/messages/${dataset}` } },
    bindings: {
      kafka: {
        topic: rollupTopicNames[dataset],
        topicConfiguration: {
          'cleanup.policy': configs.get('cleanup.policy')?.split(','),
          ...(retentionMs !== undefined && { 'retention.ms': Number(retentionMs) }),
        },
        bindingVersion: '0.5.0',
      },
    },
    'x-sla': { ...rollupServiceLevels[dataset] },
  };
}

const perDataset = <T>(of: (dataset: RollupDataset) => T) =>
  Object.fromEntries(RollupDataset.options.map((dataset) => [dataset, of(dataset)] as const));

/** The AsyncAPI 3 document of the topics for internal subscribers, as YAML. */
export function rollupAsyncApi(): string {
  return yamlOf({
    asyncapi: '3.0.0',
    info: {
      title: 'Rollup topics of jetton-analytics',
      version: '1.0.0',
      description:
        'Buckets and statistics for internal subscribers, in compacted Kafka topics. How to read them: docs/rollup-topics.md. ' +
        'Made from the contracts in packages/common by `npm run asyncapi`.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      own: { host: '127.0.0.1:9092', protocol: 'kafka', description: 'The service’s own cluster: KAFKA_BROKERS.' },
    },
    channels: perDataset(channelOf),
    operations: perDataset((dataset) => ({
      action: 'send',
      summary: `Publish ${rollupTopicNames[dataset]}`,
      channel: { $ref: `#/channels/${dataset}` },
      messages: [{ $ref: `#/channels/${dataset}/messages/record` }],
    })),
    components: { messages: perDataset(messageOf) },
  });
}
