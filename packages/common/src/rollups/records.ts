import { z } from 'zod';
import { RawAddress, Timestamp } from '../amounts.js';
import { Step, WindowsA } from '../windows.js';

// Fields are only ever added; a reader passes over those it does not know.

const Count = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .meta({ id: 'CountText', description: 'A count or raw amount: a non-negative integer in text.' });
const Decimal = z
  .string()
  .regex(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
  .meta({ id: 'DecimalText', description: 'An exact decimal in text, without exponent and trailing zeros.' });
const Instant = Timestamp.meta({ id: 'Instant', description: 'An instant: ISO 8601, UTC, whole seconds.' });
const Revision = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .meta({
    id: 'Revision',
    description:
      'An integer of up to 256 bits in text. It rises with every change of the figures: of two records with one key the one with the greater revision holds.',
  });

const published = {
  revision: Revision,
  watermark: Instant.nullable().meta({
    description: 'How far the input was taken in, as an instant of the feed, when this was read; null: not known yet.',
  }),
  computedAt: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description: 'The writer’s clock when this was read from its table.' }),
};
const bucket = {
  windowStart: Instant.meta({ description: 'First instant of the bucket.' }),
  windowEnd: Instant.meta({ description: 'First instant after the bucket.' }),
  ...published,
  isFinal: z.boolean().meta({
    description:
      'Whether the watermark had reached windowEnd: from then on only late trades, corrections and retractions change the figures.',
  }),
};
const traded = {
  transactionsBuy: Count,
  transactionsSell: Count,
  volumeUsdBuy: Decimal,
  volumeUsdSell: Decimal,
  volumeTonBuy: Decimal,
  volumeTonSell: Decimal,
  traders: Count.meta({ description: 'Distinct wallets. They cannot be added over buckets.' }),
};

const jettonRollup = (grain: 'minute' | 'hour' | 'day') =>
  z.object({
    grain: z.literal(grain),
    jetton: RawAddress,
    ...bucket,
    ...traded,
    tradersBuy: Count,
    tradersSell: Count,
  });

export const JettonMinuteRollup = jettonRollup('minute').meta({
  id: 'JettonMinuteRollup',
  description: 'Trading of one jetton in one minute.',
});
export type JettonMinuteRollup = z.infer<typeof JettonMinuteRollup>;

export const JettonHourRollup = jettonRollup('hour').meta({
  id: 'JettonHourRollup',
  description: 'Trading of one jetton in one hour.',
});
export type JettonHourRollup = z.infer<typeof JettonHourRollup>;

export const JettonDayRollup = jettonRollup('day').meta({
  id: 'JettonDayRollup',
  description: 'Trading of one jetton in one UTC day.',
});
export type JettonDayRollup = z.infer<typeof JettonDayRollup>;

export const PoolMinuteRollup = z
  .object({
    grain: z.literal('minute'),
    jetton: RawAddress,
    pool: z.union([z.literal(''), RawAddress]).meta({ description: 'Empty: the trades name no pool.' }),
    ...bucket,
    ...traded,
    priceVolumeTon: Decimal.meta({ description: 'Sum of the volumes in ton that the price in ton rests on.' }),
    priceAmountTon: Count.meta({ description: 'Raw units of the jetton traded for priceVolumeTon.' }),
    priceVolumeUsd: Decimal.meta({ description: 'Sum of the volumes in usd that the price in usd rests on.' }),
    priceAmountUsd: Count.meta({ description: 'Raw units of the jetton traded for priceVolumeUsd.' }),
  })
  .meta({ id: 'PoolMinuteRollup', description: 'Trading of one jetton in one pool in one minute.' });
export type PoolMinuteRollup = z.infer<typeof PoolMinuteRollup>;

const halves = <S extends z.ZodType>(schema: S) => z.object({ current: schema, previous: schema });
const Price = z
  .object({ value: Count, decimals: z.int().min(0).max(255) })
  .meta({ id: 'PriceText', description: 'A price: value / 10^decimals; value 0: none.' });

const WindowFigures = z
  .object({
    window: WindowsA,
    windowStart: Instant.meta({ description: 'First instant of the current window; the previous one ends there.' }),
    windowEnd: Instant.meta({ description: 'First instant after the current window.' }),
    transactionsBuy: halves(Count),
    transactionsSell: halves(Count),
    traders: halves(Count),
    tradersBuy: halves(Count),
    tradersSell: halves(Count),
    volumeUsdBuy: halves(Decimal),
    volumeUsdSell: halves(Decimal),
    volumeTonBuy: halves(Decimal),
    volumeTonSell: halves(Decimal),
    priceTon: halves(Price),
    priceUsd: halves(Price),
  })
  .meta({ id: 'WindowFigures', description: 'Figures of one window and of the window before it.' });

export const JettonStatisticsSnapshot = z
  .object({
    jetton: RawAddress,
    step: Step.meta({ description: 'Windows that are calculated together.' }),
    calculatedAt: Instant.meta({
      description: 'End of the current windows. Figures without a newer record hold at every later calculation too.',
    }),
    windowStart: Instant.meta({ description: 'First instant of the longest current window.' }),
    windowEnd: Instant.meta({ description: 'The same as calculatedAt.' }),
    ...published,
    isFinal: z.boolean().meta({ description: 'False: windows move with the clock, so that a later snapshot follows.' }),
    isKnown: z.boolean().meta({ description: 'False: all trades of the jetton were retracted; there are no windows.' }),
    windows: z.array(WindowFigures).max(7),
  })
  .meta({
    id: 'JettonStatisticsSnapshot',
    description: 'Published statistics of one jetton over the windows of a step.',
  });
export type JettonStatisticsSnapshot = z.infer<typeof JettonStatisticsSnapshot>;
export type JettonWindowFigures = z.infer<typeof WindowFigures>;

/** Value of the records of each dataset, as JSON. */
export const rollupRecords = {
  jettonMinute: JettonMinuteRollup,
  jettonHour: JettonHourRollup,
  jettonDay: JettonDayRollup,
  poolMinute: PoolMinuteRollup,
  statistics: JettonStatisticsSnapshot,
} as const;
export type RollupRecord<D extends keyof typeof rollupRecords> = z.infer<(typeof rollupRecords)[D]>;

/**
 * The rule for readers: a record replaces another of the same key where its revision is greater. Equal revisions have
 * equal figures; such a record may still tell that the window has ended.
 */
export function isNewerRollup(
  candidate: { readonly revision: string; readonly isFinal: boolean },
  known: { readonly revision: string; readonly isFinal: boolean } | undefined,
): boolean {
  if (known === undefined) return true;
  const [one, other] = [BigInt(candidate.revision), BigInt(known.revision)];
  return one > other || (one === other && candidate.isFinal && !known.isFinal);
}
