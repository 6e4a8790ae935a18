import { addressText, type Operation, operations, type OperationTag } from '@jetton-analytics/common';
import { type core, z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { answerExamples } from './examples.js';
import { type DocumentedError, errorResponse, headers, headersOf, statusOf } from './components.js';

type JsonSchema = core.JSONSchema.BaseSchema;

const description = `Statistics and metrics of TON jettons, computed from every trade.

Amounts are integers in text with their scale: \`value\` / 10^\`decimals\`. Addresses are answered raw and lower-case, and
taken raw or user-friendly. An unknown parameter is an error, unless its name begins with \`_\`.

**Keys.** \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`; without one the plan is \`public\`. **Limits** are those of
the plan, told in every answer; a 304 does not count. **Errors** have one body, both RFC 9457 and google.rpc.Status.
**Lists** are walked by passing \`next\` as \`cursor\`: every jetton that matched at the first page comes exactly once.`;

const tags: Readonly<Record<OperationTag, string>> = {
  Jettons: 'Jettons with their metadata and current figures.',
  Metrics: 'Prices, liquidity, capitalisation, holders and trust scores.',
  Statistics: 'Changes over windows from 15 minutes to a month.',
  Markets: 'Pools, trades and prices over time.',
  Service: 'The service itself.',
};

/** The OpenAPI document of the service, made from the contracts. Pure: the same text every time. */
export function openApiDocument(): object {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Jetton analytics',
        version: '1.0.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'Where this document comes from.' }],
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      security: [{}, { bearer: [] }, { apiKey: [] }],
      paths: pathsOf(operations),
      components: {
        headers,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `ja_live_…`.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: `ja_live_…`.' },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        exampleOfArray(jsonSchema);
        nameProperties(jsonSchema);
        // Requests are read strictly; answers may gain fields within /v1.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        if (io === 'input' && jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false;
      },
    },
  );
  openReferences(document);
  return document;
}

/** Beside a reference the library leaves that nothing more may follow, which then also forbids what is referred to. */
function openReferences(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('$ref' in part && 'additionalProperties' in part) delete part.additionalProperties;
  for (const inner of Object.values(part)) openReferences(inner);
}

/** The contracts give examples of one item of an array. */
function exampleOfArray(schema: JsonSchema): void {
  const { type, examples } = schema;
  if (type !== 'array' || examples === undefined || examples.some((example) => Array.isArray(example))) return;
  schema.examples = [examples];
}

/** A record of certain names as an object of them, which every generator of clients understands. */
function nameProperties(schema: JsonSchema): void {
  const { propertyNames, additionalProperties: value } = schema;
  if (typeof propertyNames !== 'object' || propertyNames.enum === undefined || typeof value !== 'object') return;
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), value]));
  delete schema.propertyNames;
  delete schema.additionalProperties;
}

function pathsOf(all: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of all) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation);
  }
  return paths;
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, tag, summary, description: text, paid, query, body, pathParameters } = operation;
  const path = Object.entries(pathParameters).map(([name, { description: what, examples = [], ...parameter }]) => {
    const schema = parameter.kind === 'enum' ? z.enum([...parameter.values]) : addressText;
    const [example] = examples;
    return [name, schema.meta({ description: what, ...(example !== undefined && { examples: [example] }) })] as const;
  });
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: paid ? `${text} For paid plans.` : text,
    ...(paid && { security: [{ bearer: [] }, { apiKey: [] }] }),
    requestParams: {
      ...(path.length > 0 && { path: z.object(Object.fromEntries(path)) }),
      ...(query !== undefined && Object.keys(query.shape).length > 0 && { query }),
    },
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      '200': {
        description: 'The answer.',
        headers: successHeaders(operation),
        content: { [operation.responseType]: { schema: operation.response, ...exampleOf(operation) } },
      },
      ...(isConditional(operation) && {
        '304': { description: 'The client has the body already.', headers: successHeaders(operation) },
      }),
      ...Object.fromEntries(errorsOf(operation).map((error) => [statusOf(error), errorResponse(error)])),
    },
  };
}

/** A real answer. */
function exampleOf({ id, responseType }: Operation): { example?: unknown } {
  const text = answerExamples[id];
  if (text === undefined) return {};
  return { example: responseType === 'application/json' ? (JSON.parse(text) as unknown) : text };
}

const isConditional = ({ method, app, id }: Operation): boolean =>
  method === 'GET' && app !== 'gateway' && id !== 'getStatus';

const successHeaders = (operation: Operation) =>
  isConditional(operation)
    ? headersOf('ETag', 'Cache-Control', 'Vary', 'X-Data-As-Of', 'X-Data-Lag')
    : operation.app === 'gateway'
      ? headersOf('Cache-Control', 'Vary')
      : headersOf('Cache-Control', 'Vary', 'X-Data-As-Of', 'X-Data-Lag');

function errorsOf({ method, paid, pathParameters, app }: Operation): DocumentedError[] {
  return [
    'invalidArgument',
    'unauthenticated',
    ...(paid ? (['permissionDenied'] as const) : []),
    ...(Object.keys(pathParameters).length > 0 ? (['notFound'] as const) : []),
    ...(method === 'POST' ? (['payloadTooLarge', 'unsupportedMediaType'] as const) : []),
    'rateLimited',
    'headersTooLarge',
    'internal',
    'unavailable',
    ...(app === 'gateway' ? [] : (['deadlineExceeded'] as const)),
  ];
}
