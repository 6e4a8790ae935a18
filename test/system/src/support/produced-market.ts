import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Currency } from '@jetton-analytics/common';
import { RatesTable } from '../oracle/rates.js';
import { Recomputation } from '../oracle/recompute.js';
import { type Curation, WholeMarket } from '../oracle/whole-market.js';
import { adversarialMarket } from './adversarial-market.js';
import { type Deployment, type FeedTopics, publicUrl } from './deployment.js';
import { burnAddress, ratesCsv, standardCode, type StateMarket, stateMarket } from './state-market.js';
import type { ProducedRecord } from './topic.js';

type Records = Readonly<Record<keyof FeedTopics, readonly ProducedRecord[]>>;

const fiats = Currency.options.filter((currency) => currency !== 'ton' && currency !== 'usd');
const verdictsInTurn = ['JVS_APPROVED', 'JVS_NONE', 'JVS_VERIFIED', 'JVS_SCAM', 'JVS_COMMUNITY_VERIFIED', 'JVS_NONE'];

/** A hostile market over all four topics, its curation, and what the definitions make of it. */
export class ProducedMarket {
  readonly records: Records;
  readonly t: number;
  readonly whole: WholeMarket<ProducedRecord>;
  readonly #csv: string;
  readonly #verdicts: ReadonlyMap<string, string>;

  constructor(seed: number, trades: number) {
    const { records, t } = adversarialMarket(seed, trades);
    const named = new Recomputation(records);
    const pools = new Map<string, string[]>();
    for (const { jetton, pools: seen } of named.named()) {
      for (const pool of seen) pools.set(pool, [...(pools.get(pool) ?? []), jetton]);
    }
    const states: StateMarket = stateMarket(seed, t, { jettons: named.jettons, pools });
    this.records = { trades: records, ...states };
    this.t = t;
    this.#csv = ratesCsv(seed, t, fiats);
    const verdicts = named.jettons.map(
      (jetton, n) => [jetton, verdictsInTurn[n % verdictsInTurn.length] ?? ''] as const,
    );
    this.#verdicts = new Map(verdicts.filter(([, verdict]) => verdict !== 'JVS_NONE'));
    const curation: Curation = {
      rates: new RatesTable(this.#csv),
      verdicts: this.#verdicts,
      standardCode,
      burnAddresses: new Set([burnAddress]),
      publicUrl,
    };
    this.whole = new WholeMarket(this.records, curation, t);
  }

  /** Tells the service the curators' verdicts and the rates, by the admin's tool. */
  async curate(deployment: Deployment): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'jetton-curation-'));
    try {
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      await deployment.admin('rates', 'import', file('rates.csv', this.#csv), '--by', 'system test');
      for (const verdict of new Set(this.#verdicts.values())) {
        const listed = [...this.#verdicts].filter(([, one]) => one === verdict).map(([address]) => ({ address }));
        const list = file(`${verdict}.json`, JSON.stringify(listed));
        await deployment.admin('labels', 'import', list, '--as', verdict, '--by', 'system test');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Some of each topic's records, topics all at once. */
  async produce(deployment: Deployment, part: (records: readonly ProducedRecord[]) => readonly ProducedRecord[]) {
    const topics = Object.entries(deployment.topics) as [keyof FeedTopics, FeedTopics['trades']][];
    await Promise.all(topics.map(([name, topic]) => topic.produce(part(this.records[name]))));
  }
}
