import { hash } from 'node:crypto';
import { z } from 'zod';

const word = z.int().min(0).max(0xffffffff);

/** The whole state of a `Random`: four unsigned 32-bit words. */
export const RandomState = z.tuple([word, word, word, word]);
export type RandomState = z.infer<typeof RandomState>;

/** A small fast generator of 32-bit words (sfc32), whose state can be written down and taken up again. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter: number;

  constructor(state: RandomState) {
    [this.a, this.b, this.c, this.counter] = state;
  }

  /** Independent streams of one seed: the same seed and label always give the same numbers. */
  static seeded(seed: number, label: string): Random {
    const bytes = hash('sha256', `simulated market ${seed} ${label}`, 'buffer');
    return new Random([bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)]);
  }

  state(): RandomState {
    return [this.a >>> 0, this.b >>> 0, this.c >>> 0, this.counter >>> 0];
  }

  /** 0 ≤ x < 1 in steps of 2^-32. */
  next(): number {
    const word32 = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + word32) | 0;
    return (word32 >>> 0) / 0x100000000;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Spread evenly over the orders of magnitude from `low` to `high`, both above 0. */
  logBetween(low: number, high: number): number {
    return low * Math.exp(Math.log(high / low) * this.next());
  }

  /** Mean 1. */
  exponential(): number {
    return -Math.log(1 - this.next());
  }

  /** Mean 0, deviation 1. */
  normal(): number {
    return Math.sqrt(2 * this.exponential()) * Math.cos(2 * Math.PI * this.next());
  }

  /** One of a list that must not be empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('pick: the list is empty');
    return item;
  }
}
