import { z } from 'zod';
import { RandomState } from './random.js';
import { ScheduleState } from './schedule.js';

/** Kinds of feed records that the market makes; which topic each goes to is a matter of settings. */
export const RecordKind = z.enum(['trades', 'pools', 'jettonMetadata', 'balances']);
export type RecordKind = z.infer<typeof RecordKind>;

/** What makes a market this one: with the same options every record comes out the same, byte for byte. */
export const MarketOptions = z.object({
  seed: z.int().min(0).default(1),
  /** Instant of the end of the history, Unix ms: from there on trades come at `ratePerSecond`. */
  historyEndMs: z
    .int()
    .min(Date.UTC(2019, 3, 1))
    .max(Date.UTC(2099, 0, 1)),
  historyDays: z.number().positive().max(3650).default(62),
  historyTrades: z.int().min(0).max(1_000_000_000).default(100_000),
  /** Jettons with USDT and one LSD among them. */
  jettons: z.int().min(3).max(20_000).default(300),
  ratePerSecond: z.number().min(0).max(100_000).default(5),
  /** From a trade to its record: the Kafka time is event time + delay. */
  delayMs: z.int().min(0).max(600_000).default(3000),
  /** 0 for a day as busy as the night, see `createActivityClock`. */
  dayNightAmplitude: z.number().min(0).max(0.6).default(0.4),
});
export type MarketOptions = z.output<typeof MarketOptions>;
export type MarketOptionsInput = z.input<typeof MarketOptions>;

const PendingRecord = z.object({ atMs: z.int(), order: z.int(), kind: RecordKind, value: z.string() });
export type PendingRecord = z.infer<typeof PendingRecord>;

const rawAmount = z.string().regex(/^\d+$/);

/** Everything that a market needs to go on where it stood; plain JSON. */
export const MarketState = z.object({
  format: z.literal(1),
  options: MarketOptions,
  random: RandomState,
  schedule: ScheduleState,
  nextTradeMs: z.int(),
  tradesMade: z.int().min(0),
  bornJettons: z.int().min(0),
  sequences: z.record(RecordKind, z.int().min(0)),
  prices: z.object({ logTon: z.array(z.number()), walkedMs: z.array(z.number()) }),
  reserves: z.array(z.tuple([rawAmount, rawAmount])),
  balances: z.array(z.tuple([z.int(), rawAmount])),
  pending: z.array(PendingRecord),
  pendingOrder: z.int().min(0),
});
export type MarketState = z.infer<typeof MarketState>;
