import { type CalculatedAt, fillHoles, fillList, type StatisticsTemplate, tagOf } from '@jetton-analytics/figures';

/** Bytes of an answer and the oldest calculatedAt in them, Unix seconds. */
export interface Answer {
  readonly body: Buffer | (() => Buffer);
  /** Stands for the body: see BytesAnswer. */
  readonly tag: string;
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

/** Body and tag of one item. */
export const oneBody = (item: StatisticsTemplate, calculatedAt: CalculatedAt) => ({
  body: fillHoles(item, calculatedAt),
  tag: tagOf(item, calculatedAt),
});

/** Body and tag of a list: its bytes need neither be hashed nor, where it is known, put together. */
export const listBody = (
  head: string,
  items: readonly StatisticsTemplate[],
  tail: string,
  calculatedAt: CalculatedAt,
) => ({
  body: () => fillList(head, items, tail, calculatedAt),
  tag: `${head}${items.map((item) => tagOf(item, calculatedAt)).join()}${tail}`,
});
