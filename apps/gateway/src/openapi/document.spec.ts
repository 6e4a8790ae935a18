import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@jetton-analytics/common';
import { documentText } from './document-text.js';

const committed = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly security?: unknown;
  readonly responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

describe('the OpenAPI document', () => {
  it('is committed as it is made: npm run openapi writes it anew', () => {
    expect(documentText()).toBe(committed);
  });

  it('shows a real answer of every operation, which the contract of the operation takes', () => {
    const { paths } = JSON.parse(committed) as Described;
    for (const { id, path, method, responseType, response } of operations) {
      const { example } = paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.[responseType] ?? {};
      expect([id, typeof example]).toEqual([id, responseType === 'application/json' ? 'object' : 'string']);
      expect([id, response.safeParse(example).error]).toEqual([id, undefined]);
    }
  });

  it('holds every operation once, with its errors, and a credential only where one is needed', () => {
    const { paths } = JSON.parse(committed) as Described;
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const { path, method, paid } of operations) {
      const operation = paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(['200', '400', '401', '429', '431', '500', '503', ...(paid ? ['403'] : [])]),
      );
      expect(operation?.security !== undefined).toBe(paid);
    }
  });
});
