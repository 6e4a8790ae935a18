import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { rewriteLine } from './rewrite-line.js';

const latestSeconds = Date.UTC(2026, 10, 21) / 1000;
const rewrite = (line: string, shiftSeconds = 0) => rewriteLine(Buffer.from(line), { shiftSeconds, latestSeconds });
const textOf = (line: string, shiftSeconds = 0): string => rewrite(line, shiftSeconds).value.toString('utf8');

const longNumber = '9'.repeat(100);

describe('rewriteLine', () => {
  it('drops the fields that begin with _ and keeps every other character', () => {
    const kept = `"volume_ton":1.${longNumber}E-7 , "volume_usd":"0E-9","query_id":${longNumber},"event_time":1641340802`;
    expect(textOf(`{${kept},"_block":23,"_log_index":[{"_a":1}]}`)).toBe(`{${kept}}`);
    expect(textOf(`{"_block":"x,}", ${kept}}`)).toBe(`{${kept}}`);
    expect(textOf('{ "_a":1 , "event_time":1641340802 , "_b":2 }')).toBe('{ "event_time":1641340802 }');
    expect(textOf(String.raw`{"event_time":1641340802,"\u005fhidden":1}`)).toBe('{"event_time":1641340802}');
    expect(textOf('{"_only":1}')).toBe('{}');
  });

  it('gives back the line’s own bytes where there is nothing to change', () => {
    const line = Buffer.from('{"event_time":1641340802,"name":"\u00e9 \\u00e9 🐸","a":{"_inner":1}}');
    expect(rewriteLine(line, { shiftSeconds: 0, latestSeconds }).value).toBe(line);
  });

  it('leaves any object as it means without its top-level _ fields, in any text form', () => {
    const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('_a', '_', 'event_time')), fc.jsonValue());
    fc.assert(
      fc.property(object, fc.nat(3), (fields, indent) => {
        const text = JSON.stringify(fields, undefined, indent);
        // Of what the text says: it has no negative zero.
        const said = Object.entries(JSON.parse(text) as object);
        expect(JSON.parse(textOf(text))).toEqual(Object.fromEntries(said.filter(([key]) => !key.startsWith('_'))));
      }),
    );
  });

  it('moves the event time and nothing else, the one that counts where it is repeated', () => {
    expect(textOf('{"a":1641340802,"event_time": 1641340802,"b":1}', 100)).toBe(
      '{"a":1641340802,"event_time": 1641340902,"b":1}',
    );
    expect(textOf('{"event_time":1641340802.0}', -2)).toBe('{"event_time":1641340800}');
    expect(textOf('{"event_time":1.641340802E9}', 1)).toBe('{"event_time":1641340803}');
    expect(textOf('{"event_time":1,"event_time":1641340802}', 1)).toBe('{"event_time":1,"event_time":1641340803}');
    expect(rewrite('{"event_time":1641340802}', 100).eventTimeSeconds).toBe(1641340902);
  });

  it.each([
    ['not JSON', '{"event_time":1641340802'],
    ['not JSON', ''],
    ['not a JSON object', '[1]'],
    ['not a JSON object', 'null'],
    ['not a JSON object', '"text"'],
    ['no event_time in whole Unix seconds of 2019 to 2099', '{"event_time":"1641340802"}'],
    ['no event_time in whole Unix seconds of 2019 to 2099', '{"event_time":1641340802.5}'],
    ['no event_time in whole Unix seconds of 2019 to 2099', '{"event_time":1641340802000}'],
    ['no event_time in whole Unix seconds of 2019 to 2099', '{"a":1}'],
    ['event_time in the future', `{"event_time":${latestSeconds + 1}}`],
  ])('names a line that is %s and leaves it as it is: %s', (problem, line) => {
    const rewritten = rewrite(line);
    expect(rewritten.problem).toBe(problem);
    expect(rewritten.eventTimeSeconds).toBeUndefined();
    expect(rewritten.value.toString('utf8')).toBe(line);
  });

  it('keeps the bytes of a line that is not UTF-8', () => {
    const line = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect(rewriteLine(line, { shiftSeconds: 0, latestSeconds })).toEqual({
      value: line,
      eventTimeSeconds: undefined,
      problem: 'not UTF-8',
    });
  });
});
