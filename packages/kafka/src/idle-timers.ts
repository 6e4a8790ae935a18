import { createRequire } from 'node:module';

/** What kafkajs 2.2.4 keeps in the file named below. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

let calmed = false;

/**
 * Keeps kafkajs from looking at an empty queue for ever: after its first answer each connection sets a timer to a moment
 * in the past, which Node runs after 1 ms (with a TimeoutNegativeWarning), and which sets itself again. A consumer, a
 * follower, an admin and a producer, all idle, took 8 % of a core with it and take 2.5 % without.
 */
export function calmIdleConnections(): void {
  if (calmed) return;
  calmed = true;
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleIfPending() {
    if (this.pending.length > 0) schedule.call(this);
  };
}
