import { describe, expect, it } from '@jest/globals';
import { getJettonPriceChart, querySchemaOf } from '@jetton-analytics/common';
import { assert, pre, property, stringMatching } from 'fast-check';
import { z } from 'zod';
import { readInstant } from './instant.js';
import { readChartRequest } from './read-chart-request.js';

const nowSeconds = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const address = `0:${'a'.repeat(64)}`;
const read = (query: string) =>
  readChartRequest(getJettonPriceChart, { url: `/x?${query}` }, { network: 'mainnet', nowSeconds, path: { address } });

describe('a request of a price chart', () => {
  it('covers by default the longest range of its resolution up to now', () => {
    expect(read('')).toEqual({
      resolution: 'hour1',
      from: nowSeconds - 30 * 86_400,
      to: nowSeconds,
      currency: 'ton',
      gapFill: false,
      path: { address },
    });
    expect(read('to=86400&resolution=day1').from).toBe(0);
  });

  it('takes instants as ISO 8601 or Unix seconds', () => {
    expect(read('from=2026-11-20T23:00:00.9-01:00&to=1795262400&gapFill=1&currency=EUR')).toMatchObject({
      from: Date.parse('2026-11-21T00:00:00Z') / 1_000,
      to: 1_795_262_400,
      gapFill: true,
      currency: 'eur',
    });
  });

  it('takes every instant that its contract allows, but days that a month does not have', () => {
    const { shape } = querySchemaOf(getJettonPriceChart.request);
    const { pattern } = z.object({ pattern: z.string() }).parse(z.toJSONSchema(shape['to'] ?? z.never()));
    assert(
      property(stringMatching(new RegExp(pattern)), (text) => {
        pre(!/-(?:02-(?:29|3.)|(?:04|06|09|11)-31)T/.test(text) && !/^(?:1970-01-01|9999-12-31)/.test(text));
        expect([text, readInstant(text)]).toEqual([text, expect.any(Number)]);
      }),
      { numRuns: 1_000 },
    );
    for (const text of [
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '1969-12-31T00:00:00Z',
    ]) {
      expect([text, new RegExp(pattern).test(text), readInstant(text)]).toEqual([text, false, undefined]);
    }
  });

  it.each([
    ['min1', 86_400],
    ['min15', 7 * 86_400],
    ['hour1', 30 * 86_400],
    ['day1', 365 * 86_400],
  ])('of resolution %s covers %i seconds at most', (resolution, seconds) => {
    const query = (length: number) => `resolution=${resolution}&from=${nowSeconds - length}&to=${nowSeconds}`;
    expect(read(query(seconds)).from).toBe(nowSeconds - seconds);
    expect(() => read(query(seconds + 1))).toThrow(/^from: the range must be at most \d+ seconds$/);
  });

  it('lists a wrong resolution, a wrong instant and an empty range', () => {
    expect(() => read('resolution=min5&from=yesterday')).toThrow(/^resolution: .*; from: must be an ISO 8601/);
    expect(() => read('from=5&to=4')).toThrow('from: must not be greater than to');
    expect(() => read(`from=${nowSeconds + 1}`)).toThrow('from: must not be later than now');
  });
});
