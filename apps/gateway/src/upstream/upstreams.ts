import type { AnsweringApp } from '@jetton-analytics/common';
import type { Upstream } from './upstream.js';

/** The apps behind, by name. */
export type QueryApp = Exclude<AnsweringApp, 'gateway'>;

/** Every app behind; also the token of the container. */
export class Upstreams {
  constructor(private readonly byName: Readonly<Record<QueryApp, Upstream>>) {}

  get(app: QueryApp): Upstream {
    return this.byName[app];
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.byName).map((upstream) => upstream.close()));
  }
}
