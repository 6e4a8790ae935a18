import type { Recomputation } from '../oracle/recompute.js';
import { windowsA, type Instants } from '../oracle/windows.js';
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

/** The C of each window as an answer of operation 6 or 7 has it. */
function instantsOf(body: unknown): Instants {
  const { priceChange } = body as { priceChange: Record<string, Record<string, { calculatedAt: string }>> };
  const windows = priceChange['ton'] ?? priceChange['counterpart'] ?? {};
  const entries = windowsA.map((name) => [name, Date.parse(windows[name]?.calculatedAt ?? '') / 1000] as const);
  return Object.fromEntries(entries) as unknown as Instants;
}

const differencesMax = 20;
const requestsAtOnce = 8;

/**
 * Compares what is served with the recomputation, whole objects, digit by digit: every jetton and every market that a
 * message has ever named, those that no trade makes known (404) included. Each at the given instants or, by a clock that
 * moves on, at those that the answer itself names.
 */
export async function compareAll(
  client: ServiceClient,
  recomputation: Recomputation,
  at: Instants | 'served',
): Promise<{ compared: number; unknown: number; differences: string[] }> {
  const found: string[] = [];
  let compared = 0;
  let unknown = 0;
  const compare = async (
    name: string,
    request: Promise<{ status: number; body: unknown }>,
    isKnown: boolean,
    recompute: (instants: Instants) => unknown,
  ) => {
    const { status, body } = await request;
    if (isKnown) compared += 1;
    else unknown += 1;
    const statusExpected = isKnown ? 200 : 404;
    if (status !== statusExpected) found.push(`${name} status: served ${status}, expected ${statusExpected}`);
    else if (isKnown) {
      const expected = recompute(at === 'served' ? instantsOf(body) : at);
      found.push(...differences(body, expected).map((line) => `${name} ${line}`));
    }
  };
  const comparisons = recomputation.named().flatMap(({ jetton, pools }) => {
    const traded = new Set(recomputation.poolsOf(jetton));
    return [
      () =>
        compare(jetton, client.jettonStatistics(jetton), recomputation.legsOf(jetton).length > 0, (instants) =>
          recomputation.jettonStatistics(jetton, instants),
        ),
      ...pools.map(
        (pool) => () =>
          compare(`${jetton} in ${pool}`, client.marketStatistics(jetton, pool), traded.has(pool), (instants) =>
            recomputation.marketStatistics(jetton, pool, instants),
          ),
      ),
    ];
  });
  while (comparisons.length > 0) await Promise.all(comparisons.splice(0, requestsAtOnce).map((run) => run()));
  const dropped = found.length - differencesMax;
  const shown = dropped > 0 ? [...found.slice(0, differencesMax), `and ${dropped} more`] : found;
  return { compared, unknown, differences: shown };
}
