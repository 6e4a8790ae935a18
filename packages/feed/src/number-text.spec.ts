import { describe, expect, it } from '@jest/globals';
import { isPlainInteger, numberTextOf } from './number-text.js';

/** What a parser does: the double from JSON.parse, then the text from the message. */
function textOf(json: string, key = 'event_time'): string {
  const parsed = JSON.parse(json) as Record<string, unknown>;
  const value = parsed[key];
  if (typeof value !== 'number') throw new Error('no number there');
  return numberTextOf(json, key, value);
}

describe('the text of a JSON number', () => {
  it.each([
    ['{"event_time":12}', '12'],
    ['{"event_time": 12 }', '12'],
    ['{ "a" : 1 ,\n"event_time"\t:\r\n-12 , "b":2}', '-12'],
    ['{"event_time":-0}', '-0'],
    ['{"event_time":1.0}', '1.0'],
    ['{"event_time":1.00000000000000000001}', '1.00000000000000000001'],
    ['{"event_time":9007199254740993}', '9007199254740993'],
    ['{"event_time":1E400}', '1E400'],
    [`{"event_time":${'7'.repeat(100)}}`, '7'.repeat(100)],
  ])('of %s is %s', (json, expected) => {
    expect(textOf(json)).toBe(expected);
  });

  it('is that of the last of duplicate keys', () => {
    expect(textOf('{"event_time":1,"event_time":1.00000000000000000001}')).toBe('1.00000000000000000001');
    expect(textOf('{"event_time":1.00000000000000000001,"event_time":1}')).toBe('1');
    expect(textOf(String.raw`{"event_time":1,"event\u005ftime":1.00000000000000000001}`)).toBe(
      '1.00000000000000000001',
    );
    expect(textOf(String.raw`{"event\u005ftime":1.00000000000000000001,"event_time":1}`)).toBe('1');
  });

  it('is not taken from nested objects, arrays or strings', () => {
    const precise = '1.00000000000000000001';
    expect(textOf(`{"x":{"event_time":1},"event_time":${precise},"y":[{"event_time":1}]}`)).toBe(precise);
    expect(textOf(`{"x":"\\"event_time\\":1,","event_time":${precise}}`)).toBe(precise);
    expect(textOf(`{"x":"event_time","event_time":${precise}}`)).toBe(precise);
    expect(textOf(`{"x":"\\\\","y":"[{\\"","z":[[],{},"]"],"event_time":${precise},"w":"}"}`)).toBe(precise);
    expect(textOf(`{"x":true,"y":null,"z":-1.5e3,"event_time":${precise}}`)).toBe(precise);
  });

  it('is found under a key that looks like a property of every object', () => {
    expect(textOf('{"__proto__":{"a":1},"a":1.50}', 'a')).toBe('1.50');
    expect(textOf('{"":1.50}', '')).toBe('1.50');
  });

  it('is found behind a nesting that no recursion would survive', () => {
    const deep = '['.repeat(400_000) + ']'.repeat(400_000);
    expect(textOf(`{"x":${deep},"event_time":1.0}`)).toBe('1.0');
  });
});

describe('the proof that a number is written as plain digits', () => {
  it('holds for what the feed sends, so that no message is walked through', () => {
    expect(isPlainInteger('{"tx":"a","event_time":1704414803,"event_type":"trade"}', 'event_time', 1_704_414_803)).toBe(
      true,
    );
    expect(isPlainInteger('{"event_time": 1704414803}', 'event_time', 1_704_414_803)).toBe(true);
  });

  it('is not given where another spelling could hide', () => {
    expect(isPlainInteger('{"event_time":1.0}', 'event_time', 1)).toBe(false);
    expect(isPlainInteger('{"event_time":12}', 'event_time', 1)).toBe(false);
    expect(isPlainInteger('{"event_time":1e0}', 'event_time', 1)).toBe(false);
    expect(isPlainInteger('{"event_time":1,"event_time":1}', 'event_time', 1)).toBe(false);
    expect(isPlainInteger(String.raw`{"event_time":1,"x":"\n"}`, 'event_time', 1)).toBe(false);
  });
});
