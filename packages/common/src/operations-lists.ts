import {
  PriceChangesList,
  TradersChangesList,
  TransactionCountChangesList,
  VolumeChangesList,
} from './change-lists.js';
import { JettonList } from './jetton.js';
import { JettonMetricsList } from './metrics.js';
import { defineOperation } from './operation.js';
import { addressesRequest, listRequest, volumeChangeRequest } from './request-contracts.js';
import { JettonStatisticsList } from './statistics.js';

const bodyForm = 'The same as the GET form, with the parameters in a body, so that long address lists fit.';

const jettons = {
  path: '/v1/jettons',
  app: 'metrics',
  tag: 'Jettons',
  request: listRequest,
  response: JettonList,
} as const;

/** Operation 1. */
export const getJettons = defineOperation({
  ...jettons,
  id: 'getJettons',
  method: 'GET',
  summary: 'List jettons',
  description: 'Jettons with metadata and current figures, filtered, sorted and paged.',
});
export const getJettonsPost = defineOperation({
  ...jettons,
  id: 'getJettonsPost',
  method: 'POST',
  summary: 'List jettons (body)',
  description: bodyForm,
});

const metricsList = {
  path: '/v1/jettons/metrics',
  app: 'metrics',
  tag: 'Metrics',
  request: listRequest,
  response: JettonMetricsList,
} as const;

/** Operation 3. */
export const getJettonMetricsList = defineOperation({
  ...metricsList,
  id: 'getJettonMetricsList',
  method: 'GET',
  summary: 'List metrics of jettons',
  description: 'Prices, liquidity, capitalisation, holders and trust score of jettons, filtered, sorted and paged.',
});
export const getJettonMetricsListPost = defineOperation({
  ...metricsList,
  id: 'getJettonMetricsListPost',
  method: 'POST',
  summary: 'List metrics of jettons (body)',
  description: bodyForm,
});

const statisticsList = {
  path: '/v1/jettons/stats',
  app: 'statistics',
  paid: true,
  tag: 'Statistics',
  request: listRequest,
  response: JettonStatisticsList,
} as const;

/** Operation 4. */
export const getJettonStatisticsList = defineOperation({
  ...statisticsList,
  id: 'getJettonStatisticsList',
  method: 'GET',
  summary: 'List statistics of jettons',
  description: 'Changes of price, traders, transactions and volume of jettons, filtered, sorted and paged.',
});
/** Operation 5. */
export const getJettonStatisticsListPost = defineOperation({
  ...statisticsList,
  id: 'getJettonStatisticsListPost',
  method: 'POST',
  summary: 'List statistics of jettons (body)',
  description: bodyForm,
});

const transactionsChange = {
  path: '/v1/jettons/transactions/change',
  app: 'statistics',
  paid: true,
  tag: 'Statistics',
  request: addressesRequest,
  response: TransactionCountChangesList,
} as const;

/** Operation 8. */
export const getTransactionsChange = defineOperation({
  ...transactionsChange,
  id: 'getTransactionsChange',
  method: 'GET',
  summary: 'Changes of transaction counts',
  description: 'Transactions, buys and sells of each requested jetton by window, in the order of the request.',
});
/** Operation 9. */
export const getTransactionsChangePost = defineOperation({
  ...transactionsChange,
  id: 'getTransactionsChangePost',
  method: 'POST',
  summary: 'Changes of transaction counts (body)',
  description: bodyForm,
});

const tradersChange = {
  path: '/v1/jettons/traders/change',
  app: 'statistics',
  paid: true,
  tag: 'Statistics',
  request: addressesRequest,
  response: TradersChangesList,
} as const;

export const getTradersChange = defineOperation({
  ...tradersChange,
  id: 'getTradersChange',
  method: 'GET',
  summary: 'Changes of trader counts',
  description: 'Distinct traders, buyers and sellers of each requested jetton by window, in the order of the request.',
});
export const getTradersChangePost = defineOperation({
  ...tradersChange,
  id: 'getTradersChangePost',
  method: 'POST',
  summary: 'Changes of trader counts (body)',
  description: bodyForm,
});

const priceChange = {
  path: '/v1/jettons/price/change',
  app: 'statistics',
  paid: true,
  tag: 'Statistics',
  request: addressesRequest,
  response: PriceChangesList,
} as const;

export const getPriceChange = defineOperation({
  ...priceChange,
  id: 'getPriceChange',
  method: 'GET',
  summary: 'Changes of prices',
  description: 'Price changes of each requested jetton in ton and usd by window, in the order of the request.',
});
export const getPriceChangePost = defineOperation({
  ...priceChange,
  id: 'getPriceChangePost',
  method: 'POST',
  summary: 'Changes of prices (body)',
  description: bodyForm,
});

/** Operation 10. */
export const getTradingVolumeChangeList = defineOperation({
  id: 'getTradingVolumeChangeList',
  method: 'POST',
  path: '/v1/jettons/trading-volume/change',
  app: 'statistics',
  tag: 'Statistics',
  summary: 'Changes of trading volume',
  description:
    'Volume, bought and sold, of each requested jetton by window in any currency, in the order of the request.',
  request: volumeChangeRequest,
  response: VolumeChangesList,
});
