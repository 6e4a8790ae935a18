import {
  type DayVolume,
  type JettonFigures,
  type MarketFigures,
  type Step,
  steps,
  type UsdByDay,
  type WindowB,
  windowsB,
} from '@jetton-analytics/figures';
import { z } from 'zod';
import type { ItemFigures } from './snapshots.js';

// The tuples of the column `windows` in their order (migration 0003): counts and decimals as text.
const count = z.string().regex(/^\d+$/);
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const price = z.tuple([z.string().regex(/^\d+$/), z.int().min(0).max(255)]);
const window = z.enum(['min15', 'hour', 'hour6', 'hour12', 'day', 'week', 'month']);
const counts = [count, count] as const;
const decimals = [decimal, decimal] as const;
const prices = [price, price] as const;

const JettonWindows = z.array(
  // transactions buy, sell; traders all, buy, sell; volume usd buy, sell, ton buy, sell; prices ton, usd
  z.tuple([
    window,
    ...counts,
    ...counts,
    ...counts,
    ...counts,
    ...counts,
    ...decimals,
    ...decimals,
    ...decimals,
    ...decimals,
    ...prices,
    ...prices,
  ]),
);
// transactions, traders, volume usd, price in the counterpart
const MarketWindows = z.array(z.tuple([window, ...counts, ...counts, ...decimals, ...prices]));

const instant = z.int().min(0);
const DayVolumes = z.array(
  z.tuple([z.enum(windowsB), z.enum(['current', 'previous']), z.string().regex(/^\d{4}-\d\d-\d\d$/), decimal, decimal]),
);
// windows, the minutes of the newest points in ton and usd (Unix seconds, 0: none), volume_usd by UTC day
const JettonText = z.tuple([JettonWindows, instant, instant, DayVolumes]);
// windows, the asset that the price is in ('': none yet)
const MarketText = z.tuple([MarketWindows, z.string()]);

const pair = <T>(current: T, previous: T) => ({ current, previous });
type PriceTuple = z.infer<typeof price>;
const pricePair = ([current, currentDecimals]: PriceTuple, [previous, previousDecimals]: PriceTuple) =>
  pair({ value: current, decimals: currentDecimals }, { value: previous, decimals: previousDecimals });

function textsOf<T>(schema: z.ZodType<T>, figures: ItemFigures): T[] {
  return steps.flatMap((step: Step) => {
    const text = figures[step];
    return text === undefined ? [] : [schema.parse(JSON.parse(text))];
  });
}

/** Figures of a jetton from the texts of its rows. Throws ZodError or SyntaxError for a text that is none. */
export function jettonFigures(figures: ItemFigures): JettonFigures {
  return Object.fromEntries(
    textsOf(JettonText, figures).flatMap(([rows]) =>
      rows.map((row) => [
        row[0],
        {
          transactionsBuy: pair(row[1], row[2]),
          transactionsSell: pair(row[3], row[4]),
          traders: pair(row[5], row[6]),
          tradersBuy: pair(row[7], row[8]),
          tradersSell: pair(row[9], row[10]),
          volumeUsdBuy: pair(row[11], row[12]),
          volumeUsdSell: pair(row[13], row[14]),
          volumeTonBuy: pair(row[15], row[16]),
          volumeTonSell: pair(row[17], row[18]),
          priceTon: pricePair(row[19], row[20]),
          priceUsd: pricePair(row[21], row[22]),
        },
      ]),
    ),
  );
}

/**
 * volume_usd of a jetton's windows by UTC day, for conversion to a fiat; a window without volume is left out. Throws
 * ZodError or SyntaxError for a text that is none.
 */
export function usdByDay(figures: ItemFigures): UsdByDay {
  const byWindow: Partial<Record<WindowB, { current: DayVolume[]; previous: DayVolume[] }>> = {};
  for (const [, , , volumes] of textsOf(JettonText, figures)) {
    for (const [name, half, day, buy, sell] of volumes) {
      const own = (byWindow[name] ??= { current: [], previous: [] });
      own[half].push({ day, buy, sell });
    }
  }
  return byWindow;
}

/** Figures of a market from the texts of its rows. Throws ZodError or SyntaxError for a text that is none. */
export function marketFigures(figures: ItemFigures): MarketFigures {
  return Object.fromEntries(
    textsOf(MarketText, figures).flatMap(([rows]) =>
      rows.map((row) => [
        row[0],
        {
          transactions: pair(row[1], row[2]),
          traders: pair(row[3], row[4]),
          volumeUsd: pair(row[5], row[6]),
          priceCounterpart: pricePair(row[7], row[8]),
        },
      ]),
    ),
  );
}

/** The asset that a market's prices are in, from the texts of its rows; undefined: none yet. Throws as the others do. */
export function marketCounterpart(figures: ItemFigures): string | undefined {
  const named = textsOf(MarketText, { ...figures, mid: undefined, long: undefined })[0]?.[1];
  return named === '' ? undefined : named;
}
