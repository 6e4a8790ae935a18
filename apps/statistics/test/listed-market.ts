import { JettonStatisticsList } from '@jetton-analytics/common';
import { pollUntil } from '@jetton-analytics/testing';
import { inOrder, listedJettons } from './listed-jettons.js';
import { SeededMarket } from './seeded-market.js';
import { type RunningStatistics, startStatistics } from './start-statistics.js';

export const path = '/v1/jettons/stats';
export const calculatedAt = { short: 1_760_000_002, mid: 1_760_000_000, long: 1_759_999_920 };
export const jettons = listedJettons(calculatedAt.short);

export const addresses = ({ items }: JettonStatisticsList): string[] => items.map(({ address }) => address);

async function pageOf(response: Promise<Response>): Promise<JettonStatisticsList> {
  const answered = await response;
  const text = await answered.text();
  if (answered.status !== 200) throw new Error(`${answered.status}: ${text}`);
  return JettonStatisticsList.parse(JSON.parse(text));
}

/** The app over the listed jettons, and its lists of statistics. */
export class ListedMarket {
  private constructor(
    readonly market: SeededMarket,
    readonly app: RunningStatistics,
  ) {}

  static async start(): Promise<ListedMarket> {
    const market = await SeededMarket.create();
    await market.facts(jettons);
    await market.snapshots(jettons, calculatedAt);
    const listed = new ListedMarket(market, await startStatistics({ ...market.settings, LIST_REUSE_MS: '0' }));
    // what is not part of a snapshot is read beside it
    const expected = inOrder(jettons, 'trustScore', 'asc').join();
    await pollUntil(async () => (await listed.walk('sort=trustScore', 100)).join() === expected, {
      what: 'all facts',
      timeoutMs: 30_000,
    });
    return listed;
  }

  get(query: string): Promise<JettonStatisticsList> {
    return pageOf(this.app.get(`${path}?${query}`));
  }

  post(body: object): Promise<JettonStatisticsList> {
    return pageOf(this.app.post(path, body));
  }

  /** The addresses of all pages. */
  async walk(query: string, limit: number): Promise<string[]> {
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await this.get(`${query}&limit=${limit}${next === undefined ? '' : `&cursor=${next}`}`);
      if (page.items.length > limit) throw new Error(`${page.items.length} items where ${limit} were asked for`);
      seen.push(...addresses(page));
      ({ next } = page);
    } while (next !== undefined && seen.length < 1_000);
    return seen;
  }

  async close(): Promise<void> {
    await this.app.app.close();
    await this.market.close();
  }
}
