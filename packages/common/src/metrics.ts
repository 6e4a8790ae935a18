import { z } from 'zod';
import { Amount, Int64Text, RawAddress, Timestamp } from './amounts.js';
import { AddressBook, JettonBook, Missing, NextCursor } from './books.js';

const usd = (what: string) => Amount.optional().meta({ description: `${what} in usd; absent where it is not known.` });
const inCurrency = (what: string) =>
  Amount.optional().meta({ description: `${what} in the requested currency; absent where it is not known.` });

export const JettonMetrics = z
  .object({
    address: RawAddress,
    price: Amount.optional().meta({ description: 'Price in ton; absent where there is none.' }),
    priceUsd: usd('Price'),
    priceCurrency: inCurrency('Price'),
    holdersCount: Int64Text.meta({ description: 'Wallets that hold the jetton, burn addresses excluded.' }),
    liquidityUsd: usd('Liquidity over all pools'),
    liquidityCurrency: inCurrency('Liquidity over all pools'),
    fdmc: usd('Fully diluted market capitalisation'),
    fdmcCurrency: inCurrency('Fully diluted market capitalisation'),
    mcap: usd('Market capitalisation'),
    mcapCurrency: inCurrency('Market capitalisation'),
    circulatingSupply: Int64Text.meta({ description: 'Supply without burnt amounts, in raw units.' }),
    trustScore: z.int().min(0).max(100).meta({ description: 'Trust score, 0 to 100.' }),
  })
  .meta({ id: 'JettonMetrics', description: 'Current figures of a jetton.' });
export type JettonMetrics = z.infer<typeof JettonMetrics>;

/** Operation 3. */
export const JettonMetricsList = z
  .object({
    items: z.array(JettonMetrics),
    addressBook: AddressBook,
    jettons: JettonBook,
    missing: Missing.optional(),
    next: NextCursor.optional(),
  })
  .meta({ id: 'JettonMetricsList', description: 'A page of jettons’ current figures.' });
export type JettonMetricsList = z.infer<typeof JettonMetricsList>;

/** `GET /v1/jettons/{address}/metrics`. */
export const JettonMetricsAnswer = z
  .object({ metrics: JettonMetrics })
  .meta({ id: 'JettonMetricsAnswer', description: 'Current figures of one jetton.' });
export type JettonMetricsAnswer = z.infer<typeof JettonMetricsAnswer>;

export const PriceState = z
  .object({
    price: Amount.meta({ description: 'Price of one jetton.' }),
    changedAt: Timestamp.meta({ description: 'Start of the minute of the newest trade behind the price.' }),
  })
  .meta({ id: 'PriceState', description: 'A price and when it changed last.' });
export type PriceState = z.infer<typeof PriceState>;

/** `GET /v1/jettons/{address}/price`. Each is absent where there is no price. */
export const JettonPrice = z
  .object({
    ton: PriceState.optional().meta({ description: 'Price in ton; absent where there is none.' }),
    usd: PriceState.optional().meta({ description: 'Price in usd; absent where there is none.' }),
    currency: PriceState.optional().meta({
      description: 'Price in the requested currency; absent where there is none.',
    }),
  })
  .meta({ id: 'JettonPrice', description: 'Current price of one jetton.' });
export type JettonPrice = z.infer<typeof JettonPrice>;

/** `GET /v1/jettons/{address}/liquidity`. Everything is absent where the liquidity is not known. */
export const JettonLiquidity = z
  .object({
    value: Amount.optional().meta({ description: 'The same as `usd`, under its older name.' }),
    ton: Amount.optional().meta({ description: 'Liquidity over all pools in ton; absent where it is not known.' }),
    usd: usd('Liquidity over all pools'),
    currency: inCurrency('Liquidity over all pools'),
    changedAt: Timestamp.optional().meta({ description: 'Newest state of a pool behind it; absent where unknown.' }),
  })
  .meta({ id: 'JettonLiquidity', description: 'Liquidity of one jetton.' });
export type JettonLiquidity = z.infer<typeof JettonLiquidity>;

/** `GET /v1/jettons/{address}/holders`. */
export const JettonHolders = z
  .object({
    value: Int64Text.meta({ description: 'Wallets that hold the jetton, burn addresses excluded.' }),
    changedAt: Timestamp.optional().meta({ description: 'Newest known balance; absent where none is known.' }),
  })
  .meta({ id: 'JettonHolders', description: 'Number of holders of one jetton.' });
export type JettonHolders = z.infer<typeof JettonHolders>;
