import { toUserFriendly } from '@jetton-analytics/feed';
import { addressOf, admins, aliasOfVerdict, type ListedJetton } from './listed-jettons.js';

/** A filter as query and as body, and which jettons it keeps. */
export type Case = readonly [name: string, query: string, body: object, keeps: (jetton: ListedJetton) => boolean];

const atLeast = (value: number | undefined, min: number): boolean => value !== undefined && value >= min;
const atMost = (value: number | undefined, max: number): boolean => value !== undefined && value <= max;

const priceChanges = (
  [
    ['hour', 'tonPriceChangeHour'],
    ['hour6', 'tonPriceChangeHour6'],
    ['day', 'tonPriceChangeDay'],
    ['week', 'tonPriceChangeWeek'],
  ] as const
).flatMap(([window, field]): Case[] => [
  [
    `priceChange.ton.${window}.min`,
    `priceChange.ton.${window}.min=-2`,
    { priceChange: { ton: { [window]: { min: -2 } } } },
    ({ values }) => atLeast(values[field], -2),
  ],
  [
    `priceChange.ton.${window}.max`,
    `priceChange.ton.${window}.max=3.0`,
    { priceChange: { ton: { [window]: { max: '3.0' } } } },
    ({ values }) => atMost(values[field], 3),
  ],
]);

export const cases: readonly Case[] = [
  ...priceChanges,
  ['excludeScam true', 'excludeScam=true', { excludeScam: true }, ({ verdict }) => verdict !== 'JVS_SCAM'],
  ['excludeScam 1', 'excludeScam=1', { excludeScam: true }, ({ verdict }) => verdict !== 'JVS_SCAM'],
  ['excludeScam false', 'excludeScam=false', { excludeScam: false }, () => true],
  [
    'search in names',
    'search=%20ÆRØ%20d',
    { search: ' ÆRØ d' },
    ({ metadata }) => metadata?.name?.includes('Ærø') === true,
  ],
  ['search in symbols', 'search=σίσυφος', { search: 'σίσυφος' }, ({ metadata }) => metadata?.symbol === 'ΣΊΣΥΦΟΣ'],
  ['search without a match', 'search=nothing', { search: 'nothing' }, () => false],
  [
    'address',
    `address=${addressOf(3)},${toUserFriendly(addressOf(9), { bounceable: true })}`,
    { address: [addressOf(9), addressOf(3).toUpperCase()] },
    ({ address }) => address === addressOf(3) || address === addressOf(9),
  ],
  ['an empty address', 'address=', { address: [] }, () => true],
  [
    'admin',
    `admin=${admins[0]}&admin=${toUserFriendly(admins[2] ?? '', { bounceable: false })}`,
    { admin: [admins[2], admins[0]] },
    ({ metadata }) => metadata?.admin === admins[0] || metadata?.admin === admins[2],
  ],
  ...(['JVS_NONE', 'JVS_APPROVED', 'JVS_COMMUNITY_VERIFIED', 'JVS_VERIFIED', 'JVS_SCAM'] as const).map(
    (verification): Case => [
      `verification ${verification}`,
      `verification=${verification}`,
      { verification: [verification] },
      ({ verdict }) => verdict === verification,
    ],
  ),
  [
    'verification in its other spelling, with another one',
    `verification=${aliasOfVerdict},JVS_SCAM`,
    { verification: ['JVS_SCAM', aliasOfVerdict] },
    ({ verdict }) => verdict === 'JVS_COMMUNITY_VERIFIED' || verdict === 'JVS_SCAM',
  ],
  [
    'liquidity.usd.min',
    'liquidity.usd.min.value=50000&liquidity.usd.min.decimals=1',
    { liquidity: { usd: { min: { value: '50000', decimals: 1 } } } },
    ({ values }) => atLeast(values.liquidityUsd, 5_000),
  ],
  [
    'liquidity.usd.max',
    'liquidity.usd.max.value=5000',
    { liquidity: { usd: { max: { value: '5000' } } } },
    ({ values }) => atMost(values.liquidityUsd, 5_000),
  ],
  [
    'fdmc.min',
    'fdmc.min.value=1300',
    { fdmc: { min: { value: '1300', decimals: 0 } } },
    ({ values }) => atLeast(values.fdmc, 1_300),
  ],
  [
    'fdmc.max',
    'fdmc.max.value=1300000000&fdmc.max.decimals=6',
    { fdmc: { max: { value: '1300000000', decimals: 6 } } },
    ({ values }) => atMost(values.fdmc, 1_300),
  ],
  [
    'trustScore.min',
    'trustScore.min=30',
    { trustScore: { min: '30' } },
    ({ values }) => atLeast(values.trustScore, 30),
  ],
  ['trustScore.max', 'trustScore.max=30', { trustScore: { max: '30' } }, ({ values }) => atMost(values.trustScore, 30)],
  ['holders.min', 'holders.min=4', { holders: { min: '4' } }, ({ values }) => atLeast(values.holders, 4)],
  ['holders.max', 'holders.max=4', { holders: { max: '4' } }, ({ values }) => atMost(values.holders, 4)],
  [
    'several filters, which all count',
    'holders.min=2&verification=JVS_SCAM,JVS_VERIFIED&liquidity.usd.max.value=15000',
    {
      holders: { min: '2' },
      verification: ['JVS_SCAM', 'JVS_VERIFIED'],
      liquidity: { usd: { max: { value: '15000' } } },
    },
    ({ values, verdict }) =>
      atLeast(values.holders, 2) &&
      (verdict === 'JVS_SCAM' || verdict === 'JVS_VERIFIED') &&
      atMost(values.liquidityUsd, 15_000),
  ],
];
