import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * What stands between the aggregators and a store does: passes on; refuses; answers 500 (HTTP only); takes requests and
 * never answers, without passing them on; passes them on and loses the answers.
 */
export type RelayMode = 'pass' | 'refuse' | 'error' | 'silent' | 'lostReply';

/** Of HTTP a relay sees where a request and its answer end. Of all else what a mode has garbled is cut when it ends. */
export type RelayedProtocol = 'http' | 'tcp';

export interface Relay {
  readonly port: number;
  setMode(mode: RelayMode): void;
  close(): Promise<void>;
}

/** A relay before a server of this machine, in a thread of its own. */
export async function startRelay(protocol: RelayedProtocol, targetPort: number): Promise<Relay> {
  const thread = new Worker(new URL('relay-thread.ts', import.meta.url), { workerData: { protocol, targetPort } });
  const [port] = (await once(thread, 'message')) as [number];
  return {
    port,
    setMode: (mode) => thread.postMessage(mode, []),
    close: async () => void (await thread.terminate()),
  };
}
