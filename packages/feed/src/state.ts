import { hash } from 'node:crypto';
import type { Fault, Skip } from './faults.js';

/**
 * A message of a state topic, of which the newest per key counts: the greatest `order`, then the later record timestamp,
 * then the greater bytes (`compareStates`). Equal in all three means the same message.
 */
export interface StateMessage {
  /** last_updated, lt or update time; 0 where the message has none. */
  readonly order: bigint;
  /** The record's Kafka timestamp, Unix milliseconds. */
  readonly recordTimestampMs: number;
  /** The message's bytes. */
  readonly value: Buffer;
}

export interface ParsedState<State extends StateMessage> {
  readonly kind: 'state';
  readonly state: State;
}

export type StateOutcome<State extends StateMessage> = ParsedState<State> | Skip | Fault;

/** Positive where `a` is the newer state, negative where `b` is, 0 for one and the same message. */
export function compareStates(a: StateMessage, b: StateMessage): number {
  if (a.order !== b.order) return a.order > b.order ? 1 : -1;
  return a.recordTimestampMs - b.recordTimestampMs || Buffer.compare(a.value, b.value);
}

/** The newest of each key. */
export function newestStates<State extends StateMessage>(
  states: Iterable<State>,
  keyOf: (state: State) => string,
): Map<string, State> {
  const newest = new Map<string, State>();
  for (const state of states) {
    const key = keyOf(state);
    const known = newest.get(key);
    if (known === undefined || compareStates(state, known) > 0) newest.set(key, state);
  }
  return newest;
}

const hashHexDigits = 32;

/** First 128 bits of the SHA-256 of a message's bytes, as 32 lower-case hex digits. */
export function valueHashOf(value: Buffer): string {
  return hash('sha256', value, 'hex').slice(0, hashHexDigits);
}
