import { z } from 'zod';
import { parseAddress } from './address.js';
import { parseDecimal, scaledText } from './decimal.js';

const nativeDefault = [
  '0:0000000000000000000000000000000000000000000000000000000000000000',
  'EQCM3B12QK1e4yZSf8GtBRT0aLMNyEsBc_DhVfRRtOEffLez',
  'EQBnGWMCf3-FZZq1W4IWcWiGAc3PHuZ0_H-7sad2oY00o83S',
  'EQCajaUU1XXSAjTD-xOV7pE49fGtg4q8kF3ELCOJtGvQFQ2C',
  'EQDQoc5M3Bh8eWFephi9bClhevelbZZvWhkqdo80XuY_0qXv',
  'EQCUnExmdgwAKADi-j2KPKThyQqTc7U650cgM0g78UzZXn9J',
];
const stableDefault = [
  'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  'EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f',
  'EQBynBO23ywHy_CgarY9NK9FTz0yDsG82PtcbSTQgGoXwiuA',
  'EQB-MPwrd1G6WKNkLz_VnV6WqBDd142KMQv-g1O-8QUA3728',
];
const lsdDefault = [
  'EQDNhy-nxYFgUqzfUzImBEP67JqsyMIcyk2S5_RwNNEYku0k',
  'EQC98_qAmNEptUtPc7W6xdHh_ZHrBUFpw5Ft_IzNU20QAJav',
];

const volumeScale = 18;
const kafkaTopicName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/;

/** Comma-separated addresses in any form, to raw lower-case ones; a wrong one is an issue at its index. */
function addressList(defaults: readonly string[]) {
  return z
    .string()
    .default(defaults.join(','))
    .transform((text, context): readonly string[] => {
      if (text.trim() === '') return [];
      const addresses = new Set<string>();
      for (const [index, entry] of text.split(',').entries()) {
        // The operator's own list: a test-net form names the same address and is taken too.
        const parsed = parseAddress(entry.trim(), { network: 'testnet' });
        if (parsed.ok) addresses.add(parsed.raw);
        else context.addIssue({ code: 'custom', path: [index], message: `address ${index}: ${parsed.reason}` });
      }
      return [...addresses];
    });
}

const usdAmount = z.string().transform((text, context) => {
  const decimal = parseDecimal(text.trim());
  const wholeDigits = decimal === undefined ? 0 : decimal.digits.length + decimal.exponent;
  if (decimal === undefined || decimal.negative || wholeDigits > volumeScale || decimal.exponent < -volumeScale) {
    context.addIssue({
      code: 'custom',
      message: `must be a decimal from 0 to below 10^18 with at most ${volumeScale} fractional digits`,
    });
    return z.NEVER;
  }
  return decimal.exponent >= 0
    ? decimal.digits === ''
      ? '0'
      : decimal.digits.padEnd(wholeDigits, '0')
    : scaledText(decimal.digits, -decimal.exponent);
});

function topicName(defaultName: string) {
  return z
    .string()
    .regex(kafkaTopicName, 'must be a Kafka topic name: 1 to 249 of A-Z a-z 0-9 . _ -')
    .default(defaultName);
}

/** Settings of the feed, a raw shape to spread into an app's z.object. Address lists come out raw and lower-case. */
export const feedSettings = {
  NATIVE_ADDRESSES: addressList(nativeDefault)
    .refine((addresses) => addresses.length > 0, 'must name at least the zero address')
    .describe('Native and its wrapped forms, one asset: comma-separated addresses in any form'),
  STABLE_ADDRESSES: addressList(stableDefault).describe(
    'Stables (6 decimals, worth 1 usd), the one that prices native first: comma-separated addresses in any form',
  ),
  LSD_ADDRESSES: addressList(lsdDefault).describe(
    'Liquid staking tokens (9 decimals): comma-separated addresses in any form',
  ),
  PRICE_MIN_TRADE_USD: usdAmount
    .prefault('1')
    .describe('The smallest volume in usd of a trade that sets a price: decimal text'),
  DEX_TRADES_TOPIC: topicName('indexer.streaming_dex_trades').describe('Topic of the trades'),
  DEX_POOLS_TOPIC: topicName('indexer.streaming_dex_pools').describe('Topic of the pool states'),
  JETTON_METADATA_TOPIC: topicName('indexer.streaming_jetton_metadata').describe('Topic of the jetton metadata'),
  BALANCES_TOPIC: topicName('indexer.streaming_balances_history').describe('Topic of the balances'),
};

/** For what computes holders and supply. The zero address of each workchain is a burn address without being named. */
export const burnSettings = {
  BURN_ADDRESSES: addressList([]).describe(
    'Owners whose balances are burnt, besides the zero address of each workchain: comma-separated addresses in any form',
  ),
};

/** For the apps that read addresses from people: which forms `parseAddress` takes. */
export const networkSettings = {
  NETWORK: z
    .enum(['mainnet', 'testnet'])
    .default('mainnet')
    .describe('mainnet refuses test-net forms of addresses, testnet takes both: mainnet or testnet'),
};
