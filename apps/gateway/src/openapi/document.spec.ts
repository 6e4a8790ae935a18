import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@jetton-analytics/common';
import { documentText } from './document-text.js';

const committed = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');

interface Described {
  readonly paths: Record<string, Record<string, { operationId: string; security?: unknown; responses: object }>>;
}

describe('the OpenAPI document', () => {
  it('is committed as it is made: npm run openapi writes it anew', () => {
    expect(documentText()).toBe(committed);
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
