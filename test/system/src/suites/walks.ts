import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { sortFields } from '../support/list-cases.js';
import { walkers, walkersAdmin } from '../support/moving-market.js';
import type { RunningService } from './running-service.js';

const lists = [
  { name: 'operation 1', path: '/v1/jettons' },
  { name: 'operation 3', path: '/v1/jettons/metrics' },
  { name: 'operation 4', path: '/v1/jettons/stats' },
] as const;
const pagesMax = 60;
const triesMax = 6;

interface Page {
  readonly jettons?: readonly { readonly metadata: { readonly address: string } }[];
  readonly items?: readonly { readonly address: string }[];
  readonly next?: string;
}

const addressesOf = (path: string, { jettons = [], items = [] }: Page): string[] =>
  path === '/v1/jettons' ? jettons.map(({ metadata }) => metadata.address) : items.map(({ address }) => address);

/**
 * Walks through pages as a client would: a page that a replica cannot give yet, or not in time on a busy machine, is asked
 * for again, as Retry-After says.
 */
class Walker {
  pages = 0;
  retries = 0;

  constructor(private readonly service: RunningService) {}

  async walk(path: string, query: string): Promise<string[]> {
    const met: string[] = [];
    let cursor = '';
    for (let page = 0; page < pagesMax; page += 1) {
      const { next, addresses } = await this.#page(path, `${query}&cursor=${cursor}`);
      met.push(...addresses);
      if (next === undefined) return met;
      cursor = next;
    }
    throw new Error(`a walk without end: ${path}?${query}`);
  }

  /** Undefined where no answer came within the client's deadline: the machine stood still, or stores did. */
  async #ask(target: string): Promise<{ response: Response; text: string } | undefined> {
    try {
      const response = await this.service.client.fetch(target, { key: this.service.key });
      return { response, text: await response.text() };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return undefined;
      throw error;
    }
  }

  async #page(path: string, query: string): Promise<{ addresses: string[]; next: string | undefined }> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#ask(`${path}?${query}`);
      if (answer === undefined && tries < triesMax) {
        this.retries += 1;
        continue;
      }
      if (answer === undefined) throw new Error(`no answer in time, ${triesMax} times: ${path}?${query}`);
      const { response, text } = answer;
      if (response.status === 200) {
        const page = JSON.parse(text) as Page;
        this.pages += 1;
        return { addresses: addressesOf(path, page), next: page.next };
      }
      if (![503, 504].includes(response.status) || tries === triesMax) throw new Error(`${response.status}: ${text}`);
      this.retries += 1;
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    }
  }
}

/** Every walk over every list while the market trades on. */
export function walkSuite(running: () => RunningService): void {
  describe('a walk over two replicas of each app while the market moves', () => {
    const everyThird = walkers.filter((_, n) => n % 3 === 0).toSorted();
    const all = walkers.toSorted();

    for (const { name, path } of lists) {
      it.each(sortFields)(
        `${name} gives each matching jetton exactly once by %s, in both orders`,
        async (sort) => {
          await running().deployment.explained(async () => {
            const walker = new Walker(running());
            const before = balanced(running());
            for (const order of ['asc', 'desc']) {
              const base = `sort=${sort}&order=${order}`;
              expect((await walker.walk(path, `${base}&limit=9&search=walker`)).toSorted()).toEqual(all);
              const filters = `excludeScam=true&admin=${walkersAdmin}&limit=4&search=WALKER`;
              expect((await walker.walk(path, `${base}&${filters}`)).toSorted()).toEqual(everyThird);
              // Figures of the filter move, too: nothing may come twice.
              const moving = await walker.walk(path, `${base}&limit=13&holders.min=2&liquidity.usd.min.value=1000`);
              expect(new Set(moving).size).toBe(moving.length);
            }
            // Both replicas gave pages, and only exceptionally had to ask for patience.
            const given = balanced(running()).map((count, index) => count - (before[index] ?? 0));
            expect(given.filter((count) => count >= 10)).toHaveLength(2);
            expect(walker.retries * 5).toBeLessThan(walker.pages);
          });
        },
        300_000,
      );
    }
  });
}

const balanced = ({ balancers }: RunningService): number[] => [
  ...balancers.statistics.counts,
  ...balancers.metrics.counts,
];
