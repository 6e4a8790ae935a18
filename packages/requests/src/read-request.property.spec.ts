import { describe, expect, it } from '@jest/globals';
import {
  getJettons,
  getJettonsPost,
  type Operation,
  operations,
  type Parameter,
  type RequestContract,
} from '@jetton-analytics/common';
import { DomainError } from '@jetton-analytics/service';
import * as fc from 'fast-check';
import { leavesOf } from './given.js';
import { readListRequest } from './read-list-request.js';
import { readRequest } from './read-request.js';

const path = {
  address: `0:${'a'.repeat(64)}`,
  poolAddress: `0:${'b'.repeat(64)}`,
  metric: 'price',
  period: 'day',
  color: 'dark',
};
const context = { network: 'mainnet', path } as const;

const address = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0:${Buffer.from(bytes).toString('hex')}`);
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const amount = fc.record({
  value: fc.bigInt({ min: 0n, max: 10n ** 80n }),
  decimals: fc.integer({ min: 0, max: 255 }),
});

/** One value of a parameter, as a body holds it; amounts apart. */
function valueOf(parameter: Exclude<Parameter, { kind: 'amount' }>): fc.Arbitrary<unknown> {
  switch (parameter.kind) {
    case 'integer':
      return fc.integer({ min: parameter.min, max: parameter.max });
    case 'boolean':
      return fc.boolean();
    case 'text':
      return fc
        .string({ unit: 'grapheme', minLength: 3, maxLength: 60 })
        .filter((text) => Array.from(text.trim()).length >= 3);
    case 'cursor':
      return fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/);
    case 'addresses':
      return fc.array(address, { minLength: 1, maxLength: 5 });
    case 'enum':
      return fc.constantFrom(...parameter.values);
    case 'enums':
      return fc.array(fc.constantFrom(...parameter.values, ...Object.keys(parameter.aliases)), {
        minLength: 1,
        maxLength: parameter.itemsMax,
      });
    case 'decimal':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    case 'address':
    case 'hash':
    case 'instant':
      return fc.constant(path.address);
  }
  return parameter satisfies never;
}

/** Flattened names with the values of a valid body. */
function givenOf(request: RequestContract): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(request).map(([name, parameter]) => {
    const given =
      parameter.kind === 'amount'
        ? amount.map(({ value, decimals }) => ({ [`${name}.value`]: String(value), [`${name}.decimals`]: decimals }))
        : valueOf(parameter).map((value) => ({ [name]: value }));
    return fc.option(given, { nil: {} });
  });
  return fc.tuple(...entries).map((all) => Object.assign({}, ...all) as Record<string, unknown>);
}

/** Bounds that are the wrong way round are a violation of their own: the second of a pair is left out. */
function withoutMaxima(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !name.includes('.max')));
}

function queryOf(given: Record<string, unknown>): string {
  return Object.entries(given)
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}=${encodeURIComponent(String(value))}`];
      // Some repeated, some separated by commas.
      const [first, ...rest] = value.map((item) => encodeURIComponent(String(item)));
      return [`${name}=${first}`, ...(rest.length === 0 ? [] : [`${name}=${rest.join(',')}`])];
    })
    .join('&');
}

function bodyOf(given: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let level = body;
    for (const step of steps) level = (level[step] ??= {}) as Record<string, unknown>;
    level[last] = value;
  }
  return body;
}

describe('the two forms of a list request', () => {
  it('read equal, and their schemas take what the readers take', () => {
    fc.assert(
      fc.property(givenOf(getJettons.request).map(withoutMaxima), (given) => {
        const body = bodyOf(given);
        const byQuery = readListRequest(getJettons, { url: `/v1/jettons?${queryOf(given)}` }, context);
        const bytes = Buffer.from(JSON.stringify(body));
        expect(readListRequest(getJettonsPost, { url: '/v1/jettons', body: bytes }, context)).toEqual(byQuery);
        expect(getJettonsPost.body?.safeParse(body).error).toBeUndefined();
        expect(getJettons.query?.safeParse(given).error).toBeUndefined();
      }),
      { numRuns: 150, verbose: 1 },
    );
  });
});

/** Whether a request is read, or refused with a list of violations. */
function isReadOrRefused(operation: Operation, url: string, body?: Uint8Array): boolean {
  try {
    readRequest(operation, { url, ...(body === undefined ? {} : { body }) }, context);
    return true;
  } catch (error) {
    return error instanceof DomainError && error.code === 'invalidArgument' && error.violations.length > 0;
  }
}

const anyOperation = fc.constantFrom(...operations);

describe('anything a client may send', () => {
  it('as a query is read or refused with violations, never an error of ours', () => {
    const piece = anyOperation.chain(({ request }) =>
      fc.tuple(
        fc.oneof(fc.constantFrom('_', 'x', ...leavesOf(request).keys()), anyText),
        fc.oneof(anyText, fc.constantFrom('', '1', '-1', '1e400', 'true', ',', '%', '%ff', '%00', '%ED%A0%80')),
      ),
    );
    fc.assert(
      fc.property(anyOperation, fc.array(piece, { maxLength: 6 }), (operation, pieces) => {
        const url = `${operation.path}?${pieces.map(([name, value]) => `${name}=${value}`).join('&')}`;
        expect(isReadOrRefused(operation, url)).toBe(true);
      }),
      { numRuns: 500, verbose: 1 },
    );
  });

  it('as a body is read or refused with violations, never an error of ours', () => {
    const posts = operations.filter(({ method }) => method === 'POST');
    const wrongValues = anyOperation.chain(({ request }) =>
      fc.dictionary(fc.constantFrom('x', ...leavesOf(request).keys()), fc.jsonValue({ maxDepth: 3 })),
    );
    const texts = fc.oneof(
      wrongValues.map((given) => JSON.stringify(bodyOf(given))),
      fc.json({ maxDepth: 6 }),
      anyText,
    );
    // Cut off and overwritten somewhere.
    const bytes = fc.tuple(texts, fc.nat(), fc.option(fc.nat(255), { freq: 2 })).map(([text, at, byte]) => {
      const whole = Buffer.from(text);
      if (byte === null || whole.length === 0) return whole;
      whole[at % whole.length] = byte;
      return at % 3 === 0 ? whole.subarray(0, at % whole.length) : whole;
    });
    fc.assert(
      fc.property(fc.constantFrom(...posts), bytes, (operation, body) => {
        expect(isReadOrRefused(operation, operation.path, body)).toBe(true);
      }),
      { numRuns: 500, verbose: 1 },
    );
  });
});
