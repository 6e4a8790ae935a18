import type { Policy } from './policy.js';

/** Who asks: the holder of a key, or whoever is at an address. */
export interface Client {
  /** Under which its requests are counted. */
  readonly id: string;
  readonly policy: Policy;
  /** Number of its key, for the log; undefined without one. */
  readonly keyId: string | undefined;
}
