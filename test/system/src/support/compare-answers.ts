import { differences } from './compare.js';
import type { RequestOptions, ServiceClient } from './service-client.js';

/** A request and the answer that it must get. */
export interface Expectation {
  readonly name: string;
  readonly path: string;
  readonly options?: RequestOptions;
  /** Undefined: the answer must be a 404. */
  readonly expected: unknown;
}

// Half of what the service reads of its history at once, so that nothing is refused: each answer counts as it first comes.
const atOnce = 4;
const differencesMax = 20;

/** Drops the words of a trust score's parts, which are free, once they are there. */
function withoutReasons(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReasons);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, one]) => !(name === 'reason' && 'points' in value && typeof one === 'string' && one !== ''),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutReasons(one)]));
}

/** Asks everything and gives what differs, a line per leaf. */
export async function compareAnswers(client: ServiceClient, expectations: readonly Expectation[]): Promise<string[]> {
  const found: string[] = [];
  const left = [...expectations];
  while (left.length > 0) {
    await Promise.all(
      left.splice(0, atOnce).map(async ({ name, path, options, expected }) => {
        const { status, body } = await client.get(path, options);
        const wanted = expected === undefined ? 404 : 200;
        if (status !== wanted) found.push(`${name}: status ${status}, expected ${wanted}: ${JSON.stringify(body)}`);
        else if (expected !== undefined) {
          found.push(...differences(withoutReasons(body), expected).map((line) => `${name} ${line}`));
        }
      }),
    );
  }
  return found.length > differencesMax
    ? [...found.slice(0, differencesMax), `and ${found.length - differencesMax} more`]
    : found;
}
