import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { roundedAmount } from './amounts.js';
import {
  renderPriceChanges,
  renderTradersChanges,
  renderTransactionChanges,
  renderVolumeChanges,
} from './change-lists.js';
import { decimalText, parseDecimal } from './decimal-text.js';
import { addScaled } from './exact.js';
import type { WindowFigures } from './figures.js';
import { renderJettonStatistics } from './jetton-statistics.js';
import { productOf } from './rational.js';
import { fillHoles, type StatisticsTemplate } from './template.js';
import { type DayVolume, fiatVolumeSums, volumeSums } from './volume-sums.js';
import { windowsB } from './windows.js';

const address = `0:${'0123456789abcdef'.repeat(4)}`;
const calculatedAt = { short: 1_641_340_802, mid: 1_641_340_800, long: 1_641_340_680 };
type Json = Record<string, Record<string, Record<string, Record<string, unknown>>>>;
const served = (template: StatisticsTemplate): Json => JSON.parse(fillHoles(template, calculatedAt).toString()) as Json;

const day: WindowFigures = {
  transactionsBuy: { current: '12', previous: '3' },
  transactionsSell: { current: '3', previous: '6' },
  traders: { current: '7', previous: '5' },
  tradersBuy: { current: '6', previous: '2' },
  tradersSell: { current: '2', previous: '4' },
  volumeUsdBuy: { current: '10.0000004', previous: '2.5' },
  volumeUsdSell: { current: '0.0000004', previous: '0' },
  volumeTonBuy: { current: '3', previous: '1' },
  volumeTonSell: { current: '0.1000000005', previous: '0' },
  priceTon: { current: { value: '110', decimals: 9 }, previous: { value: '1000', decimals: 10 } },
  priceUsd: { current: { value: '0', decimals: 6 }, previous: { value: '123456', decimals: 12 } },
};
const figures = { day };
const statistics = served(renderJettonStatistics(address, figures));
const usd = (value: string) => ({ value, decimals: 6 });

describe('the change lists', () => {
  it('of transactions and traders are the CountChange objects of the statistics', () => {
    expect(served(renderTransactionChanges(address, figures))).toEqual({
      address,
      changes: {
        total: statistics['transactions'],
        buy: statistics['transactionsBuy'],
        sell: statistics['transactionsSell'],
      },
    });
    expect(served(renderTradersChanges(address, figures))).toEqual({
      address,
      changes: { total: statistics['traders'], buy: statistics['tradersBuy'], sell: statistics['tradersSell'] },
    });
  });

  it('of prices are priceChange of the statistics', () => {
    expect(served(renderPriceChanges(address, figures))).toEqual({ address, priceChange: statistics['priceChange'] });
  });

  it('of volume in usd are the AmountChange objects of the statistics', () => {
    expect(served(renderVolumeChanges(address, volumeSums(figures, 'usd'), 'fiat'))).toEqual({
      address,
      changes: {
        total: statistics['volume']?.['usd'],
        buy: statistics['volume']?.['buyUsd'],
        sell: statistics['volume']?.['sellUsd'],
      },
    });
  });

  it('of volume in ton sum volume_ton with 9 decimals, the total rounded by itself', () => {
    const { changes } = served(renderVolumeChanges(address, volumeSums(figures, 'ton'), 'ton'));
    expect(changes?.['total']?.['day']).toEqual({
      changePercent: 210.0,
      previous: { value: '1000000000', decimals: 9 },
      current: { value: '3100000001', decimals: 9 },
      calculatedAt: '2022-01-05T00:00:00Z',
    });
    expect(changes?.['sell']?.['day']).toMatchObject({ changeStatus: 'noPrevious', current: { value: '100000001' } });
  });

  it('have every window, with zeros where there was nothing', () => {
    for (const template of [renderTransactionChanges(address, {}), renderVolumeChanges(address, {}, 'ton')]) {
      const { changes = {} } = served(template);
      expect(Object.keys(changes)).toEqual(['total', 'buy', 'sell']);
      for (const group of Object.values(changes)) expect(Object.keys(group)).toEqual([...windowsB]);
    }
    expect(served(renderVolumeChanges(address, {}, 'ton'))['changes']?.['buy']?.['week']).toEqual({
      changePercent: 0,
      previous: { value: '0', decimals: 9 },
      current: { value: '0', decimals: 9 },
      calculatedAt: '2022-01-04T23:58:00Z',
    });
  });
});

describe('volume in a fiat', () => {
  const rates: Record<string, string> = { '2022-01-03': '0.9', '2022-01-04': '0.8', '2022-01-05': '1.1' };
  const rateOf = (utcDay: string) => parseDecimal(rates[utcDay] ?? 'none');

  it('takes each day’s volume at that day’s rate', () => {
    const usdByDay = {
      day: {
        current: [
          { day: '2022-01-04', buy: '100', sell: '1' },
          { day: '2022-01-05', buy: '10', sell: '0' },
        ],
        previous: [{ day: '2022-01-03', buy: '50', sell: '0' }],
      },
    };
    const { changes } = served(renderVolumeChanges(address, fiatVolumeSums(usdByDay, rateOf), 'fiat'));
    // 100 × 0.8 + 10 × 1.1 = 91 against 50 × 0.9 = 45
    expect(changes?.['buy']?.['day']).toMatchObject({
      changePercent: 102.2222,
      current: usd('91000000'),
      previous: usd('45000000'),
    });
    expect(changes?.['sell']?.['day']).toMatchObject({ current: usd('800000'), previous: usd('0') });
    expect(changes?.['total']?.['day']).toMatchObject({ current: usd('91800000') });
    expect(changes?.['total']?.['hour']).toMatchObject({ current: usd('0') });
  });

  it('rounds the sum and not the products', () => {
    const tiny = { buy: '0.0000005', sell: '0' }; // × 0.8 = 0.0000004 on each day
    const usdByDay = {
      hour: {
        current: [
          { day: '2022-01-04', ...tiny },
          { day: '2022-01-04', ...tiny },
        ],
        previous: [],
      },
    };
    const { changes } = served(renderVolumeChanges(address, fiatVolumeSums(usdByDay, rateOf), 'fiat'));
    expect(changes?.['buy']?.['hour']).toMatchObject({ current: usd('1') });
  });

  it('is the sum over all trades of volume × rate, however the trades fall into days', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n }).map((value) => decimalText(value, 18));
    const volumes = fc.array(fc.record({ day: fc.constantFrom(...Object.keys(rates)), buy: amount, sell: amount }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(volumes, (current: DayVolume[]) => {
        const sums = fiatVolumeSums({ week: { current, previous: [] } }, rateOf);
        const expected = current.reduce(
          (sum, one) =>
            addScaled(sum, productOf(addScaled(parseDecimal(one.buy), parseDecimal(one.sell)), rateOf(one.day))),
          { value: 0n, decimals: 0 },
        );
        const { changes } = served(renderVolumeChanges(address, sums, 'fiat'));
        expect(changes?.['total']?.['week']?.['current']).toEqual(roundedAmount(expected, 6));
      }),
    );
  });

  it('fails where a day has no rate rather than leave it out', () => {
    const usdByDay = { hour: { current: [{ day: '2021-01-01', buy: '1', sell: '1' }], previous: [] } };
    expect(() => fiatVolumeSums(usdByDay, rateOf)).toThrow(RangeError);
  });
});
