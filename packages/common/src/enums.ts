import { z } from 'zod';

/** Currencies of the interface: native, and 53 fiats by their ISO 4217 code. Requests take them in upper case too. */
export const Currency = z
  .enum([
    'ton',
    'usd',
    'eur',
    'gbp',
    'jpy',
    'byn',
    'ves',
    'rub',
    'uah',
    'kzt',
    'krw',
    'ils',
    'idr',
    'aed',
    'gel',
    'twd',
    'try',
    'hkd',
    'inr',
    'cad',
    'amd',
    'aud',
    'pln',
    'cop',
    'brl',
    'chf',
    'mxn',
    'ars',
    'sgd',
    'sar',
    'mdl',
    'ron',
    'sek',
    'azn',
    'rsd',
    'nok',
    'myr',
    'bgn',
    'egp',
    'gtq',
    'clp',
    'nzd',
    'bdt',
    'kgs',
    'thb',
    'uzs',
    'uyu',
    'vnd',
    'ugx',
    'kes',
    'zar',
    'etb',
    'ngn',
    'lkr',
  ])
  .meta({ id: 'Currency', description: 'Currency: `ton`, or the ISO 4217 code of a fiat.', examples: ['usd'] });
export type Currency = z.infer<typeof Currency>;

/** What curators say of a jetton; `JVS_NONE` where nobody has said anything. */
export const Verification = z
  .enum(['JVS_NONE', 'JVS_APPROVED', 'JVS_COMMUNITY_VERIFIED', 'JVS_VERIFIED', 'JVS_SCAM'])
  .meta({
    id: 'Verification',
    description: 'Verdict of the curators on a jetton; `JVS_NONE` where there is none.',
    examples: ['JVS_APPROVED'],
  });
export type Verification = z.infer<typeof Verification>;

/** Another spelling that requests may use; answers never do. */
export const verificationAliases = { JVS_COMMUNITY_APPROVED: 'JVS_COMMUNITY_VERIFIED' } as const;

export const SortField = z
  .enum([
    'createdAt',
    'fdmc',
    'tvl',
    'liquidityUsd',
    'trustScore',
    'volume24h',
    'holders',
    'traders24h',
    'transactions24h',
    'tonPriceChangeHour',
    'tonPriceChangeHour6',
    'tonPriceChangeDay',
    'tonPriceChangeWeek',
    'tonPriceChangeMonth',
  ])
  .meta({
    id: 'SortField',
    description: 'Figure that orders a list; jettons without it come last in either order.',
    examples: ['volume24h'],
  });
export type SortField = z.infer<typeof SortField>;

export const Order = z
  .enum(['asc', 'desc'])
  .meta({ id: 'Order', description: 'Ascending or descending.', examples: ['desc'] });
export type Order = z.infer<typeof Order>;

export const LinkType = z
  .enum([
    'LINK_TYPE_UNSPECIFIED',
    'LINK_TYPE_WEBSITE',
    'LINK_TYPE_TELEGRAM',
    'LINK_TYPE_X',
    'LINK_TYPE_GITHUB',
    'LINK_TYPE_DISCORD',
  ])
  .meta({
    id: 'LinkType',
    description: 'Kind of site a link leads to; `LINK_TYPE_UNSPECIFIED` where it is none of the known ones.',
    examples: ['LINK_TYPE_TELEGRAM'],
  });
export type LinkType = z.infer<typeof LinkType>;

export const TransactionType = z.enum(['TT_BUY', 'TT_SELL']).meta({
  id: 'TransactionType',
  description: 'Whether the jetton was bought or sold.',
  examples: ['TT_BUY'],
});
export type TransactionType = z.infer<typeof TransactionType>;

export const ChartResolution = z.enum(['min1', 'min15', 'hour1', 'day1']).meta({
  id: 'ChartResolution',
  description: 'Distance of a chart’s points: one minute, 15 minutes, one hour, one day.',
  examples: ['hour1'],
});
export type ChartResolution = z.infer<typeof ChartResolution>;

/** Seconds between two points of a chart, and the longest range a chart of the resolution may cover. */
export const chartResolutions = {
  min1: { seconds: 60, rangeSecondsMax: 86_400 },
  min15: { seconds: 900, rangeSecondsMax: 7 * 86_400 },
  hour1: { seconds: 3_600, rangeSecondsMax: 30 * 86_400 },
  day1: { seconds: 86_400, rangeSecondsMax: 365 * 86_400 },
} as const satisfies Record<ChartResolution, { seconds: number; rangeSecondsMax: number }>;

export const PreviewMetric = z
  .enum(['price'])
  .meta({ id: 'PreviewMetric', description: 'Figure drawn in a chart preview.', examples: ['price'] });
export type PreviewMetric = z.infer<typeof PreviewMetric>;

export const PreviewPeriod = z
  .enum(['day', 'week', 'month'])
  .meta({ id: 'PreviewPeriod', description: 'Time that a chart preview covers.', examples: ['month'] });
export type PreviewPeriod = z.infer<typeof PreviewPeriod>;

export const PreviewColor = z
  .enum(['dark', 'light'])
  .meta({ id: 'PreviewColor', description: 'Background a chart preview is drawn for.', examples: ['dark'] });
export type PreviewColor = z.infer<typeof PreviewColor>;
