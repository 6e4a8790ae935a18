import { z } from 'zod';
import { PreviewColor, PreviewMetric, PreviewPeriod } from './enums.js';
import { JettonDetails } from './jetton.js';
import { MarketList, PriceChart, TransactionList } from './markets.js';
import { JettonHolders, JettonLiquidity, JettonMetricsAnswer, JettonPrice } from './metrics.js';
import { defineOperation } from './operation.js';
import { Ping } from './ping.js';
import { chartRequest, currencyRequest, marketsRequest, noRequest, transactionsRequest } from './request-contracts.js';
import { JettonStatistics, MarketStatistics } from './statistics.js';
import { ServiceStatus } from './status.js';
import { JettonTrustScore } from './trust-score.js';

const jettonPath = {
  address: {
    kind: 'address',
    description: 'The jetton: raw or user-friendly address.',
    examples: ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  },
} as const;

/** Operation 2. */
export const getJettonDetails = defineOperation({
  id: 'getJettonDetails',
  method: 'GET',
  path: '/v1/jettons/{address}',
  app: 'metrics',
  tag: 'Jettons',
  summary: 'One jetton',
  description: 'A jetton with metadata, current figures and the parts of its trust score.',
  pathParameters: jettonPath,
  request: noRequest,
  response: JettonDetails,
});

/** Operation 6. */
export const getJettonStatistics = defineOperation({
  id: 'getJettonStatistics',
  method: 'GET',
  path: '/v1/jettons/{address}/stats',
  app: 'statistics',
  tag: 'Statistics',
  summary: 'Statistics of one jetton',
  description: 'Changes of price, traders, transactions and volume of a jetton over all windows.',
  pathParameters: jettonPath,
  request: noRequest,
  response: JettonStatistics,
});

/** Operation 7. */
export const getJettonMarketStatistics = defineOperation({
  id: 'getJettonMarketStatistics',
  method: 'GET',
  path: '/v1/jettons/{address}/markets/{poolAddress}/stats',
  app: 'statistics',
  tag: 'Statistics',
  summary: 'Statistics of one market',
  description: 'Changes of price, traders, transactions and volume of a jetton in one pool.',
  pathParameters: {
    ...jettonPath,
    poolAddress: { kind: 'address', description: 'The pool: raw or user-friendly address.' },
  },
  request: noRequest,
  response: MarketStatistics,
});

export const getJettonMetrics = defineOperation({
  id: 'getJettonMetrics',
  method: 'GET',
  path: '/v1/jettons/{address}/metrics',
  app: 'metrics',
  tag: 'Metrics',
  summary: 'Metrics of one jetton',
  description: 'Price, liquidity, capitalisation, holders and trust score of a jetton.',
  pathParameters: jettonPath,
  request: currencyRequest,
  response: JettonMetricsAnswer,
});

export const getJettonPrice = defineOperation({
  id: 'getJettonPrice',
  method: 'GET',
  path: '/v1/jettons/{address}/price',
  app: 'metrics',
  tag: 'Metrics',
  summary: 'Price of one jetton',
  description: 'Price in ton, in usd and in the requested currency, with the minute of its newest trade.',
  pathParameters: jettonPath,
  request: currencyRequest,
  response: JettonPrice,
});

export const getJettonLiquidity = defineOperation({
  id: 'getJettonLiquidity',
  method: 'GET',
  path: '/v1/jettons/{address}/liquidity',
  app: 'metrics',
  tag: 'Metrics',
  summary: 'Liquidity of one jetton',
  description: 'Liquidity over all pools in ton, in usd and in the requested currency.',
  pathParameters: jettonPath,
  request: currencyRequest,
  response: JettonLiquidity,
});

export const getJettonHolders = defineOperation({
  id: 'getJettonHolders',
  method: 'GET',
  path: '/v1/jettons/{address}/holders',
  app: 'metrics',
  tag: 'Metrics',
  summary: 'Holders of one jetton',
  description: 'Number of wallets that hold the jetton.',
  pathParameters: jettonPath,
  request: noRequest,
  response: JettonHolders,
});

export const getJettonTrustScore = defineOperation({
  id: 'getJettonTrustScore',
  method: 'GET',
  path: '/v1/jettons/{address}/trust-score',
  app: 'metrics',
  tag: 'Metrics',
  summary: 'Trust score of one jetton',
  description: 'The score with the parts it is the sum of.',
  pathParameters: jettonPath,
  request: noRequest,
  response: JettonTrustScore,
});

export const getJettonMarkets = defineOperation({
  id: 'getJettonMarkets',
  method: 'GET',
  path: '/v1/jettons/{address}/markets',
  app: 'metrics',
  tag: 'Markets',
  summary: 'Markets of one jetton',
  description: 'Pools the jetton is traded in, the most liquid first.',
  pathParameters: jettonPath,
  request: marketsRequest,
  response: MarketList,
});

export const getJettonTransactions = defineOperation({
  id: 'getJettonTransactions',
  method: 'GET',
  path: '/v1/jettons/{address}/transactions',
  app: 'metrics',
  tag: 'Markets',
  summary: 'Trades of one jetton',
  description: 'Single trades of the jetton, the newest first, filtered and paged.',
  pathParameters: jettonPath,
  request: transactionsRequest,
  response: TransactionList,
});

export const getJettonPriceChart = defineOperation({
  id: 'getJettonPriceChart',
  method: 'GET',
  path: '/v1/jettons/{address}/price/chart',
  app: 'metrics',
  tag: 'Markets',
  summary: 'Price chart of one jetton',
  description: 'Prices of the jetton at even distances, the newest first.',
  pathParameters: jettonPath,
  request: chartRequest,
  response: PriceChart,
});

export const getJettonChartPreview = defineOperation({
  id: 'getJettonChartPreview',
  method: 'GET',
  path: '/v1/jettons/{address}/chart-previews/{metric}-{period}-{color}.svg',
  app: 'metrics',
  tag: 'Markets',
  summary: 'Chart preview',
  description: 'A small chart of the jetton as an SVG image; `chartPreviews` of a jetton links here.',
  pathParameters: {
    ...jettonPath,
    metric: { kind: 'enum', values: PreviewMetric.options, description: 'What is drawn.', examples: ['price'] },
    period: { kind: 'enum', values: PreviewPeriod.options, description: 'Time covered.', examples: ['month'] },
    color: { kind: 'enum', values: PreviewColor.options, description: 'Background.', examples: ['dark'] },
  },
  request: noRequest,
  response: z.string().meta({ description: 'An SVG image.' }),
  responseType: 'image/svg+xml',
});

export const getStatus = defineOperation({
  id: 'getStatus',
  method: 'GET',
  path: '/v1/status',
  app: 'statistics',
  tag: 'Service',
  summary: 'State of the service',
  description: 'How far each input has been read, and how old the figures of each window are.',
  request: noRequest,
  response: ServiceStatus,
});

export const ping = defineOperation({
  id: 'ping',
  method: 'GET',
  path: '/v1/system/ping',
  app: 'gateway',
  tag: 'Service',
  summary: 'Sign of life',
  description: 'Answers without looking at any data.',
  request: noRequest,
  response: Ping,
});
