import { decimalText, scaledFromDecimal } from '@jetton-analytics/figures';
import type { LegRow } from './legs.query.js';

const volumeScale = 18;
const volumeOf = (text: string | null): bigint => (text === null ? 0n : scaledFromDecimal(text, volumeScale));

const textOf = (volume: bigint): string => decimalText(volume, volumeScale);

/** Counts and sums over legs, the plainest way: one leg after the other. Legs that are no trade count for nothing. */
export class NaiveSums {
  #buys = 0n;
  #sells = 0n;
  readonly #traders = new Set<string>();
  readonly #buyers = new Set<string>();
  readonly #sellers = new Set<string>();
  #usdBuy = 0n;
  #usdSell = 0n;
  #tonBuy = 0n;
  #tonSell = 0n;

  add(leg: LegRow): void {
    if (leg.is_trade !== 1) return;
    const [usd, ton] = [volumeOf(leg.volume_usd), volumeOf(leg.volume_ton)];
    if (leg.side === 'buy') {
      this.#buys += 1n;
      this.#usdBuy += usd;
      this.#tonBuy += ton;
    } else {
      this.#sells += 1n;
      this.#usdSell += usd;
      this.#tonSell += ton;
    }
    if (leg.trader === '') return;
    this.#traders.add(leg.trader);
    (leg.side === 'buy' ? this.#buyers : this.#sellers).add(leg.trader);
  }

  /** In the order of `bucketColumns`: integers, and plain decimals without trailing zeros. */
  get texts(): string[] {
    return [
      this.#buys.toString(),
      this.#sells.toString(),
      String(this.#traders.size),
      String(this.#buyers.size),
      String(this.#sellers.size),
      textOf(this.#usdBuy),
      textOf(this.#usdSell),
      textOf(this.#tonBuy),
      textOf(this.#tonSell),
    ];
  }
}

/** The same number without trailing zeros: stores write them or not. */
export const plainText = (text: string): string => decimalText(scaledFromDecimal(text, volumeScale), volumeScale);

/** Whether two lists of sums say the same numbers. */
export const sameSums = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => plainText(text) === plainText(b[index] ?? 'none'));
