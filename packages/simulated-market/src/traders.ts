import { inventedAddress } from './assets.js';
import type { Random } from './random.js';

const tradersPerJetton = 15;
const tradersMin = 2000;
const communityStep = 37;

/** Thousands of invented wallets: a few trade all the time, most hardly ever, and each jetton has regulars of its own. */
export class Traders {
  private readonly addresses: string[] = [];
  private readonly count: number;

  constructor(
    private readonly seed: number,
    jettons: number,
  ) {
    this.count = Math.max(tradersMin, jettons * tradersPerJetton);
  }

  /** Index of a trader of this jetton: the logarithm of the rank is even, so the first trades most. */
  pick(jettonIndex: number, random: Random): number {
    const rank = Math.floor(Math.exp(random.next() * Math.log(this.count))) - 1;
    return random.chance(0.5) ? (rank + jettonIndex * communityStep) % this.count : rank;
  }

  /** Raw upper-case address. */
  addressOf(index: number): string {
    return (this.addresses[index] ??= inventedAddress(this.seed, `trader ${index}`));
  }
}
