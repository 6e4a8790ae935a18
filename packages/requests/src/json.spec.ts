import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { JsonError, type JsonValue, parseJson } from './json.js';

function plain(value: JsonValue): unknown {
  if (value.type === 'object') return Object.fromEntries(value.entries.map(([key, child]) => [key, plain(child)]));
  if (value.type === 'array') return value.items.map((item) => plain(item));
  if (value.type === 'number') return Number(value.text);
  return value.type === 'null' ? null : value.value;
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return error instanceof SyntaxError || error instanceof JsonError ? 'refused' : error;
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseJson', () => {
  it('takes what JSON.parse takes and refuses what it refuses', () => {
    const nearly = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '\\', '0', '.', '-', '\n', '\u0001', '{', ']'),
      )
      .map(
        ([text, at, inserted]) => text.slice(0, at % (text.length + 1)) + inserted + text.slice(at % (text.length + 1)),
      );
    fc.assert(
      fc.property(fc.oneof(nearly, fc.json()), (text) => {
        expect(outcome(() => plain(parseJson(text)))).toEqual(outcome(() => JSON.parse(text) as unknown));
      }),
      { numRuns: 2_000, verbose: 1 },
    );
  });

  it('keeps the text of numbers and every one of duplicate keys', () => {
    expect(parseJson('{"a":1.0000000000000000001,"a":1E2}')).toEqual({
      type: 'object',
      entries: [
        ['a', { type: 'number', text: '1.0000000000000000001' }],
        ['a', { type: 'number', text: '1E2' }],
      ],
    });
  });

  it('stops at a depth of 32', () => {
    expect(() => parseJson(nested(33))).not.toThrow();
    expect(() => parseJson(nested(34))).toThrow(JsonError);
    expect(() => parseJson('['.repeat(1_000_000))).toThrow(JsonError);
  });
});
