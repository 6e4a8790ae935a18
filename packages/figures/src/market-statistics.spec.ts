import { describe, expect, it } from '@jest/globals';
import type { MarketFigures } from './figures.js';
import { renderMarketStatistics } from './market-statistics.js';
import { fillHoles } from './template.js';

const short = '2022-01-05T00:00:02Z';
const mid = '2022-01-05T00:00:00Z';
const long = '2022-01-04T23:58:00Z';
const calculatedAt = { short: 1_641_340_802, mid: 1_641_340_800, long: 1_641_340_680 };

const served = (figures: MarketFigures): string => fillHoles(renderMarketStatistics(figures), calculatedAt).toString();

const noPrice = (at: string): string =>
  `{"changePercent":0,"changeStatus":"noPrevious","previous":{"value":"0","decimals":9},` +
  `"current":{"value":"0","decimals":9},"calculatedAt":"${at}"}`;
const noCount = (at: string): string => `{"changePercent":0,"previous":"0","current":"0","calculatedAt":"${at}"}`;

describe('the statistics of a market', () => {
  it('have every window key, with zeros and no prices where there was nothing', () => {
    const counts = `{"day":${noCount(mid)},"week":${noCount(long)},"month":${noCount(long)}}`;
    expect(served({})).toBe(
      `{"priceChange":{"counterpart":{"min15":${noPrice(short)},"hour":${noPrice(short)},"hour6":${noPrice(mid)},` +
        `"hour12":${noPrice(mid)},"day":${noPrice(mid)},"week":${noPrice(long)},"month":${noPrice(long)}}},` +
        `"traders":${counts},"transactions":${counts},` +
        `"volume":{"usd":{"day":{"changePercent":0,"previous":{"value":"0","decimals":6},` +
        `"current":{"value":"0","decimals":6},"calculatedAt":"${mid}"}}}}`,
    );
  });

  it('show the figures of each window in its own place', () => {
    const figures: MarketFigures = {
      min15: {
        priceCounterpart: {
          current: { value: '150000000000', decimals: 11 },
          previous: { value: '750000000000', decimals: 12 },
        },
      },
      day: {
        transactions: { current: '9', previous: '8' },
        traders: { current: '3', previous: '0' },
        volumeUsd: { current: '1.0000005', previous: '4.000001499999999999' },
        priceCounterpart: { current: { value: '5', decimals: 9 }, previous: { value: '0', decimals: 9 } },
      },
    };
    const text = served(figures);
    // 1.5 against 0.75
    expect(text).toContain(
      `"min15":{"changePercent":100,"previous":{"value":"750000000000","decimals":12},` +
        `"current":{"value":"150000000000","decimals":11},"calculatedAt":"${short}"}`,
    );
    expect(text).toContain(
      `"day":{"changePercent":0,"changeStatus":"noPrevious","previous":{"value":"0","decimals":9},` +
        `"current":{"value":"5","decimals":9},"calculatedAt":"${mid}"}`,
    );
    // 9 against 8: 12.5 percent
    expect(text).toContain(
      `"transactions":{"day":{"changePercent":12.5,"previous":"8","current":"9","calculatedAt":"${mid}"}`,
    );
    expect(text).toContain(
      `"traders":{"day":{"changePercent":0,"changeStatus":"noPrevious","previous":"0","current":"3","calculatedAt":"${mid}"}`,
    );
    // rounded: 1.000001 against 4.000001, from these two: −3 / 4.000001 × 100 = −74.99998125
    expect(text).toContain(
      `"volume":{"usd":{"day":{"changePercent":-75,"previous":{"value":"4000001","decimals":6},` +
        `"current":{"value":"1000001","decimals":6},"calculatedAt":"${mid}"}}}`,
    );
  });

  it('have no address and no addressBook', () => {
    expect(Object.keys(JSON.parse(served({})) as object)).toEqual(['priceChange', 'traders', 'transactions', 'volume']);
  });
});
