import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { operations } from './operations.js';
import { listRequest } from './request-contracts.js';

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the operations', () => {
  it('are the ten of the interface and the ones beside them, each once', () => {
    const keys = operations.map((operation) => keyOf(operation));
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(keys.length);
    expect(keys).toEqual(
      expect.arrayContaining([
        'GET /v1/jettons',
        'GET /v1/jettons/{address}',
        'GET /v1/jettons/metrics',
        'GET /v1/jettons/stats',
        'POST /v1/jettons/stats',
        'GET /v1/jettons/{address}/stats',
        'GET /v1/jettons/{address}/markets/{poolAddress}/stats',
        'GET /v1/jettons/transactions/change',
        'POST /v1/jettons/transactions/change',
        'POST /v1/jettons/trading-volume/change',
      ]),
    );
  });

  it('ask for a paid plan where the interface says so, and where operation 8 has a twin', () => {
    const paid = operations.filter((operation) => operation.paid).map((operation) => keyOf(operation));
    expect(paid.toSorted()).toEqual(
      ['stats', 'transactions/change', 'traders/change', 'price/change']
        .flatMap((path) => [`GET /v1/jettons/${path}`, `POST /v1/jettons/${path}`])
        .toSorted(),
    );
  });

  it('declare every parameter of their path, and take a query or a body, never both', () => {
    for (const { path, pathParameters, query, body, method } of operations) {
      expect(Object.keys(pathParameters)).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
      expect([query === undefined, body === undefined]).toEqual([method === 'POST', method === 'GET']);
    }
  });

  it('are described: every schema becomes JSON Schema, every example is valid by its own schema', () => {
    const schemas = operations.flatMap(({ response, query, body }) => [response, query ?? [], body ?? []].flat());
    for (const schema of schemas) expect(() => z.toJSONSchema(schema)).not.toThrow();
    let examples = 0;
    for (const { query } of operations) {
      for (const [name, schema] of Object.entries(query?.shape ?? {})) {
        const { examples: given = [], description } = schema.meta() ?? {};
        // The schema of an optional parameter carries no text of its own.
        const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType).meta() : undefined;
        expect([name, description ?? inner?.description]).toEqual([name, expect.stringMatching(/\S/)]);
        for (const example of [...(Array.isArray(given) ? given : []), ...examplesOf(inner)]) {
          expect([name, schema.safeParse(example).success]).toEqual([name, true]);
          examples += 1;
        }
      }
    }
    expect(examples).toBeGreaterThan(20);
  });
});

function examplesOf(meta: { examples?: unknown } | undefined): unknown[] {
  return Array.isArray(meta?.examples) ? meta.examples : [];
}

describe('the list request', () => {
  it('has the parameters, limits and defaults of the interface', () => {
    expect(Object.keys(listRequest)).toEqual([
      ...'limit cursor excludeScam search address admin verification sort order'.split(' '),
      ...['hour', 'hour6', 'day', 'week'].flatMap((window) => [
        `priceChange.ton.${window}.min`,
        `priceChange.ton.${window}.max`,
      ]),
      ...['liquidity.usd', 'fdmc', 'trustScore', 'holders'].flatMap((name) => [`${name}.min`, `${name}.max`]),
      'currency',
    ]);
    const { limit, search, address, admin, verification, sort, order, currency, excludeScam } = listRequest;
    expect([limit.default, limit.min, limit.max]).toEqual([20, 1, 100]);
    expect([search.charsMin, search.charsMax]).toEqual([3, 255]);
    expect([address.itemsMax, admin.itemsMax, verification.itemsMax]).toEqual([100, 10, 5]);
    expect([sort.default, order.default, currency.default, excludeScam.default]).toEqual([
      'createdAt',
      'asc',
      'ton',
      false,
    ]);
    expect([sort.values.length, currency.values.length]).toEqual([14, 54]);
  });
});
