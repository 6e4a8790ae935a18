import { z } from 'zod';
import { AmountChange, CountChange, RawAddress } from './amounts.js';
import { AddressBook, Missing } from './books.js';
import { WindowsA, WindowsB } from './windows.js';

const amountsA = z.record(WindowsA, AmountChange);
const amountsB = z.record(WindowsB, AmountChange);
const countsB = z.record(WindowsB, CountChange);

const countChanges = z.object({ total: countsB, buy: countsB, sell: countsB });

export const TransactionCountChanges = z
  .object({ address: RawAddress, changes: countChanges })
  .meta({ id: 'TransactionCountChanges', description: 'Changes of one jetton’s transactions, by window.' });
export type TransactionCountChanges = z.infer<typeof TransactionCountChanges>;

export const TradersChanges = z
  .object({ address: RawAddress, changes: countChanges })
  .meta({ id: 'TradersChanges', description: 'Changes of one jetton’s distinct traders, by window.' });
export type TradersChanges = z.infer<typeof TradersChanges>;

export const PriceChanges = z
  .object({ address: RawAddress, priceChange: z.object({ ton: amountsA, usd: amountsA }) })
  .meta({ id: 'PriceChanges', description: 'Changes of one jetton’s price in ton and usd, by window.' });
export type PriceChanges = z.infer<typeof PriceChanges>;

export const VolumeChanges = z
  .object({ address: RawAddress, changes: z.object({ total: amountsB, buy: amountsB, sell: amountsB }) })
  .meta({ id: 'VolumeChanges', description: 'Changes of one jetton’s trading volume in the requested currency.' });
export type VolumeChanges = z.infer<typeof VolumeChanges>;

/** Operations 8 and 9. Items come in the order of the request. */
export const TransactionCountChangesList = z
  .object({ items: z.array(TransactionCountChanges), addressBook: AddressBook, missing: Missing })
  .meta({ id: 'TransactionCountChangesList', description: 'Changes of the transactions of the requested jettons.' });
export type TransactionCountChangesList = z.infer<typeof TransactionCountChangesList>;

export const TradersChangesList = z
  .object({ items: z.array(TradersChanges), addressBook: AddressBook, missing: Missing })
  .meta({ id: 'TradersChangesList', description: 'Changes of the traders of the requested jettons.' });
export type TradersChangesList = z.infer<typeof TradersChangesList>;

export const PriceChangesList = z
  .object({ items: z.array(PriceChanges), addressBook: AddressBook, missing: Missing })
  .meta({ id: 'PriceChangesList', description: 'Changes of the prices of the requested jettons.' });
export type PriceChangesList = z.infer<typeof PriceChangesList>;

/** Operation 10. */
export const VolumeChangesList = z
  .object({ items: z.array(VolumeChanges), addressBook: AddressBook, missing: Missing })
  .meta({ id: 'VolumeChangesList', description: 'Changes of the trading volume of the requested jettons.' });
export type VolumeChangesList = z.infer<typeof VolumeChangesList>;
