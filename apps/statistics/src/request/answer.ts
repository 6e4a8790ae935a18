import type { StatisticsTemplate } from '@jetton-analytics/figures';

/** Bytes of an answer and the oldest calculatedAt in them, Unix seconds. */
export interface Answer {
  readonly body: Buffer;
  readonly asOf: number;
}

/** Requested jettons that are known, in their order, and the others. */
export interface Found {
  readonly addresses: readonly string[];
  readonly templates: readonly StatisticsTemplate[];
  readonly missing: readonly string[];
}

/** Looks up the items of raw addresses; the ones without an item are missing. */
export function findItems(
  requested: readonly string[],
  itemOf: (address: string) => StatisticsTemplate | undefined,
): Found {
  const addresses: string[] = [];
  const templates: StatisticsTemplate[] = [];
  const missing: string[] = [];
  for (const address of requested) {
    const template = itemOf(address);
    if (template === undefined) missing.push(address);
    else {
      addresses.push(address);
      templates.push(template);
    }
  }
  return { addresses, templates, missing };
}
