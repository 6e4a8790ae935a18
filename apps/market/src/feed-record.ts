/** A record of a feed topic: no key. `sequence` counts the topic's records: its partition follows from it. */
export interface FeedRecord {
  readonly value: string | Buffer;
  readonly timestampMs: number;
  readonly sequence: number;
}
