import { Currency } from '@jetton-analytics/common';
import { ChangeAnswers } from '../oracle/change-answers.js';
import { JettonAnswers } from '../oracle/jetton-answers.js';
import { ListOrder } from '../oracle/list-order.js';
import { MarketAnswers, type Resolution, resolutions } from '../oracle/market-answers.js';
import type { Preview } from '../oracle/preview.js';
import { timestampOf } from '../oracle/windows.js';
import type { WholeMarket } from '../oracle/whole-market.js';
import type { Expectation } from './compare-answers.js';
import { ListCases } from './list-cases.js';
import { transactionFilters } from './transaction-cases.js';

const unknownJetton = `0:${'ef'.repeat(32)}`;
const pageMax = 100;

const paths = (jetton: string) => [`/v1/jettons/${jetton}`, `/v1/jettons/${jetton}/stats`];

/** What every operation must answer to what a test asks, by the definitions. `key` opens the paid ones. */
export class Expectations {
  readonly answers: JettonAnswers;
  readonly order: ListOrder;
  readonly cases: ListCases;
  readonly #changes: ChangeAnswers;
  readonly #markets: MarketAnswers;

  constructor(
    private readonly whole: WholeMarket,
    private readonly key: string,
  ) {
    this.answers = new JettonAnswers(whole);
    this.#changes = new ChangeAnswers(whole);
    this.#markets = new MarketAnswers(whole, this.answers);
    this.order = new ListOrder(this.answers, this.#changes);
    this.cases = new ListCases(whole, this.order);
  }

  /** Operations 2 and 6 of every jetton, and of some that are none. */
  details(): Expectation[] {
    const ghosts = [unknownJetton, `0:${'0'.repeat(64)}`, ...this.whole.trades.named().map(({ jetton }) => jetton)];
    const unknown = ghosts.filter((jetton) => !this.whole.isKnown(jetton));
    return [
      ...unknown.flatMap(paths).map((path) => ({ name: path, path, expected: undefined })),
      ...this.whole.jettons.flatMap((jetton): Expectation[] => [
        { name: `details ${jetton}`, path: `/v1/jettons/${jetton}`, expected: this.answers.details(jetton) },
        { name: `stats ${jetton}`, path: `/v1/jettons/${jetton}/stats`, expected: this.#changes.statistics(jetton) },
      ]),
    ];
  }

  /** The single figures of every jetton, in a currency each. */
  points(): Expectation[] {
    return this.whole.jettons.flatMap((jetton, n): Expectation[] => {
      const currency = Currency.options[n % Currency.options.length] ?? 'ton';
      const figures = this.answers.figures(jetton);
      const metrics = this.answers.metrics(jetton, currency);
      const { holders, newest } = this.whole.holdersOf(jetton);
      const trust = { score: figures.trustScore, updatedAt: timestampOf(this.whole.t), version: 1 };
      const path = (name: string) => `/v1/jettons/${jetton}/${name}`;
      return [
        { name: `metrics ${jetton}`, path: `${path('metrics')}?currency=${currency}`, expected: { metrics } },
        {
          name: `holders ${jetton}`,
          path: path('holders'),
          expected: { value: String(holders), changedAt: newest === undefined ? undefined : timestampOf(newest) },
        },
        {
          name: `price ${jetton}`,
          path: `${path('price')}?currency=${currency}`,
          expected: this.answers.price(jetton, currency),
        },
        {
          name: `liquidity ${jetton}`,
          path: `${path('liquidity')}?currency=${currency}`,
          expected: this.answers.liquidity(jetton, currency),
        },
        { name: `trust ${jetton}`, path: path('trust-score'), expected: { ...trust, parts: figures.trustParts } },
      ];
    });
  }

  /** Operation 3 over all jettons in a currency. */
  metricsIn(currency: string): Expectation[] {
    const { jettons } = this.whole;
    const sorted = this.order.sorted(jettons, 'createdAt', 'asc');
    const expected = this.answers.metricsList(sorted, currency);
    const path = '/v1/jettons/metrics';
    const body = { limit: pageMax, currency };
    return [
      { name: `metrics in ${currency}`, path: `${path}?limit=${pageMax}&currency=${currency}`, expected },
      { name: `metrics in ${currency} by body`, path, options: { body }, expected },
    ];
  }

  /** Operation 7 and the markets of every jetton. */
  markets(): Expectation[] {
    const { whole } = this;
    const someoneElses = [...whole.pools.keys(), unknownJetton].at(-1) ?? unknownJetton;
    return whole.jettons.flatMap((jetton): Expectation[] => [
      {
        name: `markets ${jetton}`,
        path: `/v1/jettons/${jetton}/markets?limit=100`,
        expected: this.#markets.markets(jetton),
      },
      ...[...new Set([...whole.marketsOf(jetton), someoneElses])].map((pool) => ({
        name: `${jetton} in ${pool}`,
        path: `/v1/jettons/${jetton}/markets/${pool}/stats`,
        expected: this.#markets.statistics(jetton, pool),
      })),
    ]);
  }

  /** All trades of a jetton, newest first. */
  transactionsOf(jetton: string): unknown[] {
    return this.#markets.transactions(jetton);
  }

  /** Trades of the most traded jetton under every filter. */
  filteredTransactions(): Expectation[] {
    const { jetton, filters } = transactionFilters(this.whole);
    return Object.entries(filters).map(([query, keeps]): Expectation => {
      const kept = this.#markets.transactions(jetton, keeps);
      const path = `/v1/jettons/${jetton}/transactions?limit=${pageMax}&${query}`;
      return { name: query, path, expected: { transactions: kept.slice(0, pageMax), next: kept.length > pageMax } };
    });
  }

  /** Chart previews: of each jetton one of the six in turn. */
  previews(): { path: string; expected: Preview }[] {
    const kinds = (['day', 'week', 'month'] as const).flatMap((period) =>
      ['dark', 'light'].map((color) => ({ period, color })),
    );
    return this.whole.jettons.flatMap((jetton, n) => {
      const { period, color } = kinds[n % kinds.length] ?? {};
      if (period === undefined || color === undefined) return [];
      const path = `/v1/jettons/${jetton}/chart-previews/price-${period}-${color}.svg`;
      return [{ path, expected: this.#markets.preview(jetton, period, color) }];
    });
  }

  /** Price charts of every jetton at every resolution, in a currency each. */
  charts(): Expectation[] {
    return this.whole.jettons.flatMap((jetton, n) =>
      (Object.keys(resolutions) as Resolution[]).map((resolution, m): Expectation => {
        const currency = ['ton', 'usd', 'eur'][(n + m) % 3] ?? 'ton';
        const gapFill = n % 10 === 0 && resolution !== 'min1';
        const query = `resolution=${resolution}&currency=${currency}&gapFill=${gapFill}`;
        return {
          name: `chart ${jetton} ${query}`,
          path: `/v1/jettons/${jetton}/price/chart?${query}`,
          expected: this.#markets.chart(jetton, resolution, currency, gapFill),
        };
      }),
    );
  }

  /** Operations 8 and 9 and their like, over all jettons at once and one that is unknown. */
  changes(): Expectation[] {
    const { key } = this;
    const lists: [string, (jetton: string) => unknown][] = [
      ['transactions', (jetton) => this.#changes.transactions(jetton)],
      ['traders', (jetton) => this.#changes.traders(jetton)],
      ['price', (jetton) => this.#changes.prices(jetton)],
    ];
    return lists.flatMap(([name, itemOf]): Expectation[] => {
      const { asked, expected } = this.#batch(itemOf);
      const path = `/v1/jettons/${name}/change`;
      return [
        { name: `${name} change`, path: `${path}?address=${asked.join(',')}`, options: { key }, expected },
        { name: `${name} change by body`, path, options: { key, body: { address: asked } }, expected },
      ];
    });
  }

  /** Operation 10 over all jettons at once. */
  volumesIn(currency: string): Expectation[] {
    const { asked, expected } = this.#batch((jetton) => this.#changes.volume(jetton, currency));
    const body = { address: asked, currency };
    return [{ name: `volume in ${currency}`, path: '/v1/jettons/trading-volume/change', options: { body }, expected }];
  }

  /** Operations 4 and 5, operation 1 and its body form, over all jettons in an order. */
  ordered(field: string, order: 'asc' | 'desc'): Expectation[] {
    return this.lists(this.order.sorted(this.whole.jettons, field, order), `sort=${field}&order=${order}`, {
      sort: field,
      order,
    });
  }

  filtered(name: string): Expectation[] {
    const { query, body, keeps } = this.cases.of(name);
    const kept = this.whole.jettons.filter((jetton) => keeps(jetton));
    const asked = 'address' in body ? [] : undefined;
    return this.lists(this.order.sorted(kept, 'createdAt', 'asc'), query, body, asked);
  }

  /** The lists that must hold just these jettons. */
  lists(jettons: readonly string[], query: string, body: object, missing?: readonly string[]): Expectation[] {
    const { key, answers } = this;
    const statistics = {
      items: jettons.map((jetton) => this.#changes.statistics(jetton)),
      addressBook: answers.book(jettons.map((jetton) => [jetton, 'jetton'])),
      jettons: answers.jettonBook(jettons),
    };
    const expected: [string, object, { key?: string }][] = [
      ['/v1/jettons', answers.list(jettons), {}],
      ['/v1/jettons/metrics', answers.metricsList(jettons, 'ton'), {}],
      ['/v1/jettons/stats', statistics, { key }],
    ];
    return expected.flatMap(([path, answer, options]): Expectation[] => [
      {
        name: `${path}?${query}`,
        path: `${path}?${query}&limit=100`,
        options,
        expected: { ...answer, missing },
      },
      {
        name: `${path} ${JSON.stringify(body)}`,
        path,
        options: { ...options, body: { ...body, limit: pageMax } },
        expected: { ...answer, missing },
      },
    ]);
  }

  /** The first page of a list where nothing is asked: 20 jettons by createdAt, ascending, figures in ton. */
  byDefault(): { path: string; key?: string; addresses: string[]; metrics: unknown[] }[] {
    const addresses = this.order.sorted(this.whole.jettons, 'createdAt', 'asc').slice(0, 20);
    const metrics = addresses.map((jetton) => this.answers.metrics(jetton, 'ton'));
    return [
      { path: '/v1/jettons', addresses, metrics: [] },
      { path: '/v1/jettons/metrics', addresses, metrics },
      { path: '/v1/jettons/stats', key: this.key, addresses, metrics: [] },
    ];
  }

  #batch(itemOf: (jetton: string) => unknown) {
    const { jettons } = this.whole;
    const asked = [...jettons.toReversed(), unknownJetton].slice(-pageMax);
    const known = asked.filter((jetton) => jetton !== unknownJetton);
    const addressBook = this.answers.book(known.map((jetton) => [jetton, 'jetton']));
    return { asked, expected: { items: known.map(itemOf), addressBook, missing: [unknownJetton] } };
  }
}
