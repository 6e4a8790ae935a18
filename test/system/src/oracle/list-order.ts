import type { ChangeAnswers } from './change-answers.js';
import type { Amount } from './change.js';
import type { Fraction } from './exact.js';
import { readDecimal } from './exact.js';
import type { JettonAnswers } from './jetton-answers.js';
import { fractionOf } from './metrics.js';

/** −1, 0 or 1 for a against b; denominators are > 0. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return left === right ? 0 : left < right ? -1 : 1;
}

const whole = (value: bigint | number): Fraction => ({ numerator: BigInt(value), denominator: 1n });
const amount = (value: Amount | undefined): Fraction | undefined => value && fractionOf(value);

/** The exact value of a plain decimal text. */
function fractionOfText(text: string): Fraction {
  const decimal = readDecimal(text);
  if (decimal === undefined) throw new Error(`not a decimal: ${text}`);
  const digits = BigInt(decimal.digits || '0') * (decimal.negative ? -1n : 1n);
  return decimal.exponent >= 0n
    ? whole(digits * 10n ** decimal.exponent)
    : { numerator: digits, denominator: 10n ** -decimal.exponent };
}

const windowOf: Readonly<Record<string, string>> = {
  tonPriceChangeHour: 'hour',
  tonPriceChangeHour6: 'hour6',
  tonPriceChangeDay: 'day',
  tonPriceChangeWeek: 'week',
  tonPriceChangeMonth: 'month',
};

/** The figures that lists are sorted and filtered by. */
export class ListOrder {
  constructor(
    private readonly answers: JettonAnswers,
    private readonly changes: ChangeAnswers,
  ) {}

  /** Undefined where a figure is missing. */
  value(jetton: string, field: string): Fraction | undefined {
    const figures = this.answers.figures(jetton);
    const statistics = this.changes.statistics(jetton);
    const window = windowOf[field];
    if (window !== undefined) {
      const change = statistics.priceChange.ton[window];
      return change === undefined || change.changeStatus !== undefined
        ? undefined
        : fractionOfText(change.changePercent);
    }
    switch (field) {
      case 'createdAt':
        return whole(figures.createdAt);
      case 'fdmc':
        return amount(figures.fdmc);
      case 'tvl':
        return amount(figures.tvl);
      case 'liquidityUsd':
        return amount(figures.liquidityUsd);
      case 'trustScore':
        return whole(figures.trustScore);
      case 'holders':
        return whole(figures.holdersCount);
      case 'volume24h':
        return amount(statistics.volume.usd['day']?.current);
      case 'traders24h':
        return whole(BigInt(statistics.traders['day']?.current ?? '0'));
      case 'transactions24h':
        return whole(BigInt(statistics.transactions['day']?.current ?? '0'));
      default:
        throw new Error(`no such figure: ${field}`);
    }
  }

  /** In the order of a list: missing figures last in either order, ties by address. */
  sorted(jettons: readonly string[], field: string, order: 'asc' | 'desc'): string[] {
    const keyed = jettons.map((jetton) => ({ jetton, value: this.value(jetton, field) }));
    keyed.sort((a, b) => {
      const missing = Number(a.value === undefined) - Number(b.value === undefined);
      if (missing !== 0) return missing;
      const compared = a.value === undefined || b.value === undefined ? 0 : compareFractions(a.value, b.value);
      if (compared !== 0) return order === 'asc' ? compared : -compared;
      return a.jetton < b.jetton ? -1 : 1;
    });
    return keyed.map(({ jetton }) => jetton);
  }
}

/** docs/http-api.md, "Filters and sorting". */
export const fold = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
