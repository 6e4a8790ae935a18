import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { membersOf } from './json-members.js';

const blank = fc.constantFrom('', ' ', '\t', '\n ', '  ');

describe('membersOf', () => {
  it('finds every member of any object, with the very text of its value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), blank, (object, gap) => {
        const entries = Object.entries(object);
        const written = entries.map(
          ([key, value]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${JSON.stringify(value)}${gap}`,
        );
        const text = `${gap}{${written.join(',') || gap}}${gap}`;
        const found = membersOf(text);
        expect(found.map(({ key }) => key)).toEqual(entries.map(([key]) => key));
        expect(found.map(({ valueStart, end }) => text.slice(valueStart, end))).toEqual(
          entries.map(([, value]) => JSON.stringify(value)),
        );
      }),
    );
  });

  it('reads keys through their escapes and keeps repeated ones', () => {
    const members = membersOf(String.raw`{"\u005fa\"\\":1,"b":"x\\\"","b":[{"c":"}]"}]}`);
    expect(members.map(({ key }) => key)).toEqual(['_a"\\', 'b', 'b']);
  });

  it('takes a nesting of a hundred thousand in its stride', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"b":1}`;
    expect(membersOf(deep).map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
