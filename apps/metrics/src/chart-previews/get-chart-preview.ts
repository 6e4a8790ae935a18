import type { PreviewColor, PreviewPeriod } from '@jetton-analytics/common';
import type { JettonRecord } from '@jetton-analytics/read-model';
import type { Rates } from '@jetton-analytics/rates';
import type { HistoryStore } from '../history/history-store.js';
import { getPriceChart } from '../price-chart/get-price-chart.js';
import { drawPriceChart } from './draw-price-chart.js';

/** Which points a preview is drawn from. */
const periods = {
  day: { resolution: 'min15', seconds: 86_400 },
  week: { resolution: 'hour1', seconds: 7 * 86_400 },
  month: { resolution: 'hour1', seconds: 30 * 86_400 },
} as const satisfies Record<PreviewPeriod, { resolution: 'min15' | 'hour1'; seconds: number }>;

/**
 * The chart of a jetton's price in usd over the period before `at` (Unix seconds) as an SVG image. Throws DomainError
 * where the store is away, busy or too slow.
 */
export async function getChartPreview(
  store: HistoryStore,
  rates: Rates,
  record: JettonRecord,
  { period, color, at }: { period: PreviewPeriod; color: PreviewColor; at: number },
): Promise<string> {
  const { resolution, seconds } = periods[period];
  const from = at - seconds;
  const points = await getPriceChart(store, rates, {
    jetton: record.address,
    decimals: record.decimals,
    resolution,
    from,
    to: at,
    currency: 'usd',
    gapFill: true,
  });
  const drawn = points.map(({ time, value }) => ({ time, price: Number(value.value) / 10 ** value.decimals }));
  const { name, symbol } = record.metadata;
  return drawPriceChart(drawn, {
    from,
    to: at,
    color,
    title: `${name || symbol || record.address}: price, last ${period}`,
  });
}
