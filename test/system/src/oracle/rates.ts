import { readDecimal, type Fraction } from './exact.js';

/** UTC day of an instant in Unix seconds: `2024-03-10`. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Daily rates, base usd, of a file with a column per currency and a line per day. */
export class RatesTable {
  readonly #days = new Map<string, [day: string, rate: Fraction][]>();

  constructor(csv: string) {
    const [header = '', ...lines] = csv.trim().split('\n');
    const names = header.split(',');
    for (const line of lines.toSorted()) {
      const [day = '', ...cells] = line.split(',');
      for (const [index, cell] of cells.entries()) {
        const rate = fractionOf(cell);
        const name = names[index + 1] ?? '';
        if (rate === undefined) continue;
        const known = this.#days.get(name);
        if (known === undefined) this.#days.set(name, [[day, rate]]);
        else known.push([day, rate]);
      }
    }
  }

  /** Of the day, else of the last known day before it, else of the first known day. */
  on(currency: string, day: string): Fraction {
    const known = this.#days.get(currency) ?? [];
    const found = known.findLast(([one]) => one <= day) ?? known[0];
    if (found === undefined) throw new Error(`no rate of ${currency}`);
    return found[1];
  }
}

function fractionOf(text: string): Fraction | undefined {
  const decimal = readDecimal(text);
  if (decimal === undefined) return undefined;
  const digits = BigInt(decimal.digits || '0');
  return decimal.exponent >= 0n
    ? { numerator: digits * 10n ** decimal.exponent, denominator: 1n }
    : { numerator: digits, denominator: 10n ** -decimal.exponent };
}
