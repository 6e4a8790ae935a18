import { z } from 'zod';
import { Amount, RawAddress, Timestamp } from './amounts.js';
import { AddressBook, JettonBook, NextCursor } from './books.js';
import { TransactionType } from './enums.js';

/** The other asset of a pool or a trade. */
export const Counterpart = z.union([z.literal('ton'), RawAddress]).meta({
  id: 'Counterpart',
  description: 'The other asset: raw address of a jetton, or `ton` for native in any of its forms.',
  examples: ['ton'],
});
export type Counterpart = z.infer<typeof Counterpart>;

export const Market = z
  .object({
    counterpart: Counterpart.optional(),
    exchangeId: z.string().meta({ description: 'Exchange the pool belongs to; empty where it is not known.' }),
    poolAddress: RawAddress,
    createdAt: Timestamp.optional().meta({
      description: 'When the pool was made or first seen; absent where unknown.',
    }),
    liquidity: Amount.optional().meta({ description: 'Value of the pool in usd; absent where it is not known.' }),
    price: Amount.optional().meta({
      description: 'Price of the jetton in units of the counterpart; absent where there is none.',
    }),
    lastTransactionAt: Timestamp.optional().meta({
      description: 'Newest trade in the pool; absent where none is known.',
    }),
  })
  .meta({ id: 'Market', description: 'A pool the jetton is traded in.' });
export type Market = z.infer<typeof Market>;

/** `GET /v1/jettons/{address}/markets`. */
export const MarketList = z
  .object({
    markets: z.array(Market),
    addressBook: AddressBook,
    jettons: JettonBook,
    next: NextCursor.optional(),
  })
  .meta({ id: 'MarketList', description: 'A page of the pools a jetton is traded in.' });
export type MarketList = z.infer<typeof MarketList>;

export const Transaction = z
  .object({
    time: Timestamp.meta({ description: 'When the trade happened.' }),
    timeLt: z.string().optional().meta({ description: 'Logical time of the trade; absent where it is not known.' }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'Hash of the transaction, 64 hex digits.' }),
    who: RawAddress.optional().meta({ description: 'Trader, raw address; absent where it is not known.' }),
    whoFriendly: z.string().optional().meta({ description: 'Trader, user-friendly address; absent where not known.' }),
    type: TransactionType,
    counterpart: Counterpart,
    exchangeId: z.string().meta({ description: 'Exchange the pool belongs to; empty where it is not known.' }),
    pool: RawAddress.optional().meta({ description: 'Pool of the trade; absent where it has none.' }),
    amount: Amount.meta({ description: 'Amount of the jetton.' }),
    counterpartAmount: Amount.meta({ description: 'Amount of the counterpart.' }),
    price: Amount.meta({ description: 'Price of the jetton in units of the counterpart.' }),
  })
  .meta({ id: 'Transaction', description: 'One trade, seen from one jetton.' });
export type Transaction = z.infer<typeof Transaction>;

/** `GET /v1/jettons/{address}/transactions`, newest first. */
export const TransactionList = z
  .object({ transactions: z.array(Transaction), next: NextCursor.optional() })
  .meta({ id: 'TransactionList', description: 'A page of one jetton’s trades, newest first.' });
export type TransactionList = z.infer<typeof TransactionList>;

export const ChartPoint = z
  .object({
    value: Amount.meta({ description: 'Price at the end of the step.' }),
    time: Timestamp.meta({ description: 'Start of the step.' }),
  })
  .meta({ id: 'ChartPoint', description: 'A point of a price chart.' });
export type ChartPoint = z.infer<typeof ChartPoint>;

/** `GET /v1/jettons/{address}/price/chart`, newest first. */
export const PriceChart = z
  .object({ points: z.array(ChartPoint) })
  .meta({ id: 'PriceChart', description: 'Points of a price chart, newest first.' });
export type PriceChart = z.infer<typeof PriceChart>;
