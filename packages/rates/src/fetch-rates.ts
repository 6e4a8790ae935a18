import { parseRatesJson } from './parse-json.js';
import type { ReadRates } from './parse-csv.js';
import { RatesError } from './rate-text.js';

export interface FetchBounds {
  /** Deadline of the whole answer, its body included. */
  readonly timeoutMs?: number;
  readonly bytesMax?: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 20_000;
const defaultBytesMax = 4 * 1024 * 1024;

/** A URL as it may be shown and kept: without user, password and query. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function boundedText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The type of a body does not know yet that it can be iterated.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > bytesMax) throw new RatesError(`the answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads today's rates from FX_RATES_URL, see {@link parseRatesJson}. Rejects with RatesError for an answer that is not
 * 200, too large or not of the shape; with the platform's error when there is none in time.
 */
export async function fetchRates(
  url: string,
  { timeoutMs = defaultTimeoutMs, bytesMax = defaultBytesMax, signal }: FetchBounds = {},
): Promise<ReadRates> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new RatesError(`the answer has status ${response.status}`);
  }
  return parseRatesJson(await boundedText(response, bytesMax));
}
