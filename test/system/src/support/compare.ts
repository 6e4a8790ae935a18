import type { Recomputation } from '../oracle/recompute.js';
import type { Instants } from '../oracle/windows.js';
import type { ServiceClient } from './service-client.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Where two JSON values differ, a line per leaf: `volume.usd.day.current.value: served "1", expected "2"`. */
export function differences(served: unknown, expected: unknown, path = ''): string[] {
  if (!isObject(served) || !isObject(expected)) {
    if (Object.is(served, expected)) return [];
    return [`${path}: served ${JSON.stringify(served)}, expected ${JSON.stringify(expected)}`];
  }
  const keys = new Set([...Object.keys(served), ...Object.keys(expected)]);
  return [...keys].flatMap((key) => differences(served[key], expected[key], path === '' ? key : `${path}.${key}`));
}

const differencesMax = 40;
const requestsAtOnce = 8;

/**
 * Compares what is served with the recomputation, whole objects, digit by digit: every jetton and every market that a
 * message has ever named, those that no trade makes known (404) included.
 */
export async function compareAll(
  client: ServiceClient,
  recomputation: Recomputation,
  instants: Instants,
): Promise<{ compared: number; unknown: number; differences: string[] }> {
  const found: string[] = [];
  let compared = 0;
  let unknown = 0;
  const compare = async (name: string, request: Promise<{ status: number; body: unknown }>, expected: unknown) => {
    const { status, body } = await request;
    if (expected === undefined) unknown += 1;
    else compared += 1;
    const statusExpected = expected === undefined ? 404 : 200;
    const here =
      status !== statusExpected
        ? [`status: served ${status}, expected ${statusExpected}`]
        : expected === undefined
          ? []
          : differences(body, expected);
    found.push(...here.map((line) => `${name} ${line}`));
  };
  const comparisons = recomputation
    .named()
    .flatMap(({ jetton, pools }) => [
      () => compare(jetton, client.jettonStatistics(jetton), recomputation.jettonStatistics(jetton, instants)),
      ...pools.map(
        (pool) => () =>
          compare(
            `${jetton} in ${pool}`,
            client.marketStatistics(jetton, pool),
            recomputation.marketStatistics(jetton, pool, instants),
          ),
      ),
    ]);
  while (comparisons.length > 0) await Promise.all(comparisons.splice(0, requestsAtOnce).map((run) => run()));
  const dropped = found.length - differencesMax;
  const shown = dropped > 0 ? [...found.slice(0, differencesMax), `and ${dropped} more`] : found;
  return { compared, unknown, differences: shown };
}
