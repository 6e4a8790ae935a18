import { z } from 'zod';
import { AmountChange, CountChange, RawAddress } from './amounts.js';
import { AddressBook, JettonBook, Missing, NextCursor } from './books.js';
import { WindowsA, WindowsB, WindowsC } from './windows.js';

const amountsA = z.record(WindowsA, AmountChange);
const amountsB = z.record(WindowsB, AmountChange);
const countsB = z.record(WindowsB, CountChange);
const countsC = z.record(WindowsC, CountChange);

/** Operation 6: statistics of one jetton over all windows. Every window key is always present. */
export const JettonStatistics = z
  .object({
    address: RawAddress,
    priceChange: z.object({ ton: amountsA, usd: amountsA }),
    traders: countsB,
    tradersBuy: countsB,
    tradersSell: countsB,
    transactions: countsB,
    transactionsBuy: countsB,
    transactionsSell: countsB,
    volume: z.object({ usd: amountsB, buyUsd: amountsB, sellUsd: amountsB }),
  })
  .meta({ id: 'JettonStatistics', description: 'Changes of price, traders, transactions and volume of a jetton.' });
export type JettonStatistics = z.infer<typeof JettonStatistics>;

/** Operations 4 and 5. */
export const JettonStatisticsList = z
  .object({
    items: z.array(JettonStatistics),
    addressBook: AddressBook,
    jettons: JettonBook,
    missing: Missing.optional(),
    next: NextCursor.optional(),
  })
  .meta({ id: 'JettonStatisticsList', description: 'A page of jettons’ statistics.' });
export type JettonStatisticsList = z.infer<typeof JettonStatisticsList>;

/** Operation 7: statistics of one jetton in one pool. */
export const MarketStatistics = z
  .object({
    priceChange: z.object({ counterpart: amountsA }),
    traders: countsC,
    transactions: countsC,
    volume: z.object({ usd: z.object({ day: AmountChange }) }),
  })
  .meta({ id: 'MarketStatistics', description: 'Changes of one jetton’s trading in one pool.' });
export type MarketStatistics = z.infer<typeof MarketStatistics>;
