import type { Network } from '@jetton-analytics/feed';
import type { Violation } from '@jetton-analytics/service';

/** A request as it came: target with its query, and the bytes of the body of a POST. */
export interface RequestInput {
  readonly url: string;
  readonly body?: Uint8Array;
}

export interface ReadContext {
  readonly network: Network;
  /** Path parameters, percent-decoded, by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** What is wrong with a cursor, so that it is listed together with the rest: ListWalks.checkCursor. */
  readonly checkCursor?: (cursor: string) => Violation | undefined;
}

/** Target and body of a request as a query app gets it: the body of a POST is the bytes that came. */
export function requestInputOf({ url, body }: { readonly url: string; readonly body?: unknown }): RequestInput {
  return body instanceof Uint8Array ? { url, body } : { url };
}
