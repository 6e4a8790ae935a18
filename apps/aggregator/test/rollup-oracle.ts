import { address, nativeAddress, type TradeFields } from './feed-messages.js';

/** The figures of a bucket that every dataset has, computed from the messages alone. */
export interface ExpectedBucket {
  readonly transactionsBuy: string;
  readonly transactionsSell: string;
  readonly volumeUsdBuy: string;
  readonly volumeUsdSell: string;
  readonly volumeTonBuy: string;
  readonly volumeTonSell: string;
  readonly traders: string;
}

const seconds = { minute: 60, hour: 3_600, day: 86_400 };
const digits = 18;

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function plain(value: bigint): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return text.slice(0, -digits) + (fraction === '' ? '' : `.${fraction}`);
}

const rank = ({ revision = 0, deleted = false }: TradeFields) => revision * 2 + (deleted ? 1 : 0);

/** Of each transaction the message that holds: the greatest revision, and of one revision the retraction. */
function newestOf(messages: readonly TradeFields[]): TradeFields[] {
  const newest = new Map<string, TradeFields>();
  for (const message of messages) {
    const known = newest.get(message.tx);
    if (known === undefined || rank(message) > rank(known)) newest.set(message.tx, message);
  }
  return [...newest.values()];
}

/**
 * Every bucket of a grain by its key in the topic. Buckets of retracted trades are there with what is left in them. All
 * trades are against native, so each has one leg.
 */
export function expectedBuckets(
  messages: readonly TradeFields[],
  grain: keyof typeof seconds,
  kind: 'jetton' | 'pool',
): Map<string, ExpectedBucket> {
  const trades = Map.groupBy(newestOf(messages), ({ bought, sold, pool, eventTime }) => {
    const jetton = (bought === nativeAddress ? sold : bought).toLowerCase();
    const market = kind === 'pool' ? [(pool === undefined ? address('pool') : (pool ?? '')).toLowerCase()] : [];
    return [jetton, ...market, grain, eventTime - (eventTime % seconds[grain])].join('|');
  });
  return new Map([...trades].map(([key, ofBucket]) => [key, bucketOf(ofBucket.filter(({ deleted }) => !deleted))]));
}

const usd = ({ volumeUsd }: TradeFields) => (volumeUsd === undefined ? '5' : (volumeUsd ?? '0'));

/** The exact amount of native, whatever the message says. */
const ton = ({ bought, amountBought = '2000000000', amountSold = '1000000000' }: TradeFields) =>
  plain(scaled(bought === nativeAddress ? amountBought : amountSold) / 1_000_000_000n);

const sum = (of: readonly TradeFields[], volume: (trade: TradeFields) => string) =>
  plain(of.reduce((total, trade) => total + scaled(volume(trade)), 0n));

function bucketOf(trades: readonly TradeFields[]): ExpectedBucket {
  const buys = trades.filter(({ bought }) => bought !== nativeAddress);
  const sells = trades.filter(({ bought }) => bought === nativeAddress);
  return {
    transactionsBuy: String(buys.length),
    transactionsSell: String(sells.length),
    volumeUsdBuy: sum(buys, usd),
    volumeUsdSell: sum(sells, usd),
    volumeTonBuy: sum(buys, ton),
    volumeTonSell: sum(sells, ton),
    traders: String(new Set(trades.flatMap(({ trader }) => (trader === null ? [] : [trader]))).size),
  };
}
