import { z } from 'zod';
import type { ActivityClock } from './activity-clock.js';
import type { Random } from './random.js';

const timeMs = z.number().min(0);

/** A stretch with a known number of trades; `growthMs` null spreads them evenly, else see `growthOf`. */
const Stretch = z.object({
  kind: z.literal('stretch'),
  startMs: timeMs,
  endMs: timeMs,
  trades: z.int().min(0),
  growthMs: z.number().positive().nullable(),
});

/** Trades at a rate, without end. */
const Steady = z.object({ kind: z.literal('steady'), startMs: timeMs });

/** Where a schedule stands, all that is needed to go on. */
export const ScheduleState = z.object({
  segment: z.discriminatedUnion('kind', [Stretch, Steady]),
  /** Trades drawn in this segment. */
  drawn: z.int().min(0),
  /** Activity time of the last trade drawn. */
  activityMs: z.number(),
  /** Of the steady segment, under way or to come; 0 is a market that has closed. */
  ratePerSecond: z.number().min(0),
});
export type ScheduleState = z.infer<typeof ScheduleState>;

/** The last instant of a Date: JSON has no Infinity. */
export const never = 8.64e15;

/** History ends at the live rate at most this many times its mean: a faster live market would leave none of it. */
const growthMax = 150;

/**
 * A history of `trades` trades in `lengthMs` that grows into `ratePerSecond`: density at age x is rate ÷ (1 + x/A), whose
 * integral is rate·A·ln(1 + length/A). Gives A in ms, or null where an even spread is already as busy as the live rate.
 */
export function growthOf(trades: number, lengthMs: number, ratePerSecond: number): number | null {
  if (trades === 0) return null;
  const ratePerMs = Math.min(ratePerSecond / 1000, (growthMax * trades) / lengthMs);
  if (ratePerMs * lengthMs <= trades * 1.01) return null;
  let low = 1;
  let high = lengthMs * 1000;
  for (let round = 0; round < 100; round += 1) {
    const middle = Math.sqrt(low * high);
    if (ratePerMs * middle * Math.log1p(lengthMs / middle) < trades) low = middle;
    else high = middle;
  }
  return low;
}

/** Draws the instants of the trades, one after the other, never going back. */
export class Schedule {
  constructor(
    private readonly clock: ActivityClock,
    private current: ScheduleState,
  ) {}

  state(): ScheduleState {
    return { ...this.current };
  }

  get isSteady(): boolean {
    return this.current.segment.kind === 'steady';
  }

  get ratePerSecond(): number {
    return this.current.ratePerSecond;
  }

  /** How many trades there are to come up to an instant, when the next one is at `nextMs`: a good guess. */
  expectedTrades(nextMs: number, untilMs: number): number {
    const { segment, drawn, ratePerSecond } = this.current;
    const left = segment.kind === 'stretch' ? segment.trades - drawn + 1 : 0;
    const steadyFromMs = segment.kind === 'stretch' ? segment.endMs : nextMs;
    return left + Math.round(Math.max(0, (untilMs - steadyFromMs) / 1000) * ratePerSecond);
  }

  /** Event time of the next trade in whole milliseconds, `never` when there is none. */
  drawMs(random: Random): number {
    const { segment } = this.current;
    if (segment.kind === 'stretch') {
      if (this.current.drawn < segment.trades) return this.drawInStretch(segment, random);
      this.beginSteady(segment.endMs);
    }
    if (this.current.ratePerSecond === 0) return never;
    this.current.drawn += 1;
    this.current.activityMs += (random.exponential() * 1000) / this.current.ratePerSecond;
    return Math.floor(this.clock.timeOf(this.current.activityMs));
  }

  /** From `startMs` on another rate. */
  beginSteady(startMs: number, ratePerSecond = this.current.ratePerSecond): void {
    this.begin({ kind: 'steady', startMs }, startMs, ratePerSecond);
  }

  /** From `startMs` to `endMs` this many trades, evenly; after it the steady rate. */
  beginStretch(startMs: number, endMs: number, trades: number): void {
    const segment = { kind: 'stretch' as const, startMs, endMs, trades, growthMs: null };
    this.begin(segment, startMs, this.current.ratePerSecond);
  }

  /** The rate that follows the stretch under way. */
  planRate(ratePerSecond: number): void {
    this.current = { ...this.current, ratePerSecond };
  }

  private begin(segment: ScheduleState['segment'], startMs: number, ratePerSecond: number): void {
    this.current = { segment, drawn: 0, activityMs: this.clock.activityOf(startMs), ratePerSecond };
  }

  /** The k-th of n equal shares of the stretch gets one trade, somewhere in it: exactly n, in order, in any number. */
  private drawInStretch(segment: z.infer<typeof Stretch>, random: Random): number {
    const startActivity = this.clock.activityOf(segment.startMs);
    const endActivity = this.clock.activityOf(segment.endMs);
    const length = endActivity - startActivity;
    const left = 1 - (this.current.drawn + random.next()) / segment.trades;
    const age =
      segment.growthMs === null
        ? left * length
        : segment.growthMs * Math.expm1(left * Math.log1p(length / segment.growthMs));
    this.current.drawn += 1;
    this.current.activityMs = endActivity - age;
    const drawnMs = Math.floor(this.clock.timeOf(this.current.activityMs));
    // Rounding in the logarithm may reach over the ends by a fraction.
    return Math.min(Math.max(drawnMs, segment.startMs), segment.endMs - 1);
  }
}
