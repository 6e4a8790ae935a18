import { describe, expect, it } from '@jest/globals';
import { fillHoles, fillList, holesOf, tagOf, TemplateWriter } from './template.js';
import { steps } from './windows.js';

function template() {
  const writer = new TemplateWriter();
  writer.add('{"a":"');
  writer.addHole('long');
  writer.add('","b":"');
  writer.addHole('short');
  writer.add('","c":"');
  writer.addHole('mid');
  writer.add('"}');
  return writer.finish();
}

const calculatedAt = { short: 1_641_340_802, mid: 1_641_340_800, long: 1_641_340_680 };

describe('a template', () => {
  it('gets the newest calculatedAt of each step in its holes and nothing else changes', () => {
    expect(fillHoles(template(), calculatedAt).toString()).toBe(
      '{"a":"2022-01-04T23:58:00Z","b":"2022-01-05T00:00:02Z","c":"2022-01-05T00:00:00Z"}',
    );
  });

  it('says where its holes are', () => {
    // `{"a":"` is 6 bytes, a hole 20, `","b":"` 7
    expect(holesOf(template())).toEqual([
      { offset: 6, step: 'long' },
      { offset: 33, step: 'short' },
      { offset: 60, step: 'mid' },
    ]);
  });

  it('is not changed by filling it, so it can be filled again', () => {
    const own = template();
    const before = own.bytes.toString();
    const first = fillHoles(own, calculatedAt);
    const second = fillHoles(own, { short: 0, mid: 0, long: 0 });
    expect(own.bytes.toString()).toBe(before);
    expect(first.toString()).toContain('2022-01-05T00:00:02Z');
    expect(second.toString()).toContain('"b":"1970-01-01T00:00:00Z"');
  });

  it('has the same bytes when its figures are the same, so a change is seen by comparing them', () => {
    expect(template().bytes.equals(template().bytes)).toBe(true);
  });

  it('has one tag and one buffer while nothing of it changes, another tag with other figures or another instant', () => {
    const own = template();
    expect(fillHoles(own, { ...calculatedAt })).toBe(fillHoles(own, calculatedAt));
    const tag = tagOf(own, calculatedAt);
    expect([tagOf(own, { ...calculatedAt }), tagOf(template(), calculatedAt)]).toEqual([tag, tag]);
    const others = steps.map((step) => tagOf(own, { ...calculatedAt, [step]: calculatedAt[step] + 1 }));
    const writer = new TemplateWriter();
    writer.add('{"a":1}');
    expect(new Set([tag, ...others, tagOf(writer.finish(), calculatedAt)]).size).toBe(2 + steps.length);
    expect(tagOf(own, calculatedAt)).toBe(tag);
  });

  it('keeps an allocation of its own', () => {
    const { bytes } = template();
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('refuses an instant that does not fit its hole', () => {
    expect(() => fillHoles(template(), { ...calculatedAt, mid: 1e12 })).toThrow(RangeError);
  });
});

describe('a list of templates', () => {
  const item = '{"a":"2022-01-04T23:58:00Z","b":"2022-01-05T00:00:02Z","c":"2022-01-05T00:00:00Z"}';

  it('has its holes filled, commas between the items, and what stands around them in UTF-8', () => {
    const filled = fillList('{"ä":[', [template(), template(), template()], '],"name":"USD₮"}', calculatedAt);
    expect(filled.toString()).toBe(`{"ä":[${item},${item},${item}],"name":"USD₮"}`);
  });

  it('may be of one item or of none', () => {
    expect(fillList('[', [template()], ']', calculatedAt).toString()).toBe(`[${item}]`);
    expect(fillList('[', [], ']', calculatedAt).toString()).toBe('[]');
  });
});
