import { setTimeout as pause } from 'node:timers/promises';
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

const atOnce = 8;
const askAgainMs = 90_000;
const overloaded = new Set([503, 504]);
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

/** The answer; one that says that the service is too busy for it is asked for again, as any client would. */
async function answerOf(client: ServiceClient, { path, options }: Expectation) {
  const untilMs = performance.now() + askAgainMs;
  for (;;) {
    const answer = await client.get(path, options);
    if (!overloaded.has(answer.status) || performance.now() > untilMs) return answer;
    await pause(1_000);
  }
}

/** Asks everything and gives what differs, a line per leaf. */
export async function compareAnswers(client: ServiceClient, expectations: readonly Expectation[]): Promise<string[]> {
  const found: string[] = [];
  const left = [...expectations];
  while (left.length > 0) {
    await Promise.all(
      left.splice(0, atOnce).map(async (expectation) => {
        const { name, expected } = expectation;
        const { status, body } = await answerOf(client, expectation);
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
