import { Currency } from '@jetton-analytics/common';

/** A currency that has rates: every one of the interface but `ton`, whose price comes from trades. */
export type Fiat = Exclude<Currency, 'ton'>;

/** The 53 fiats of the interface, `usd` among them. */
export const fiats: readonly Fiat[] = Currency.options.filter((currency) => currency !== 'ton');

const known: ReadonlySet<string> = new Set(fiats);

export const isFiat = (text: string): text is Fiat => known.has(text);
