import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens and returns the base URL. Rejects with Node's error, e.g. code EADDRINUSE. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return urlOf(server);
}

/** Base URL of a listening server, with 127.0.0.1 for a wildcard address. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo; // a TCP server that listens has an AddressInfo
  const wildcard = address === '::' || address === '0.0.0.0';
  const host = wildcard ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

const letGoEveryMs = 50;

/**
 * Closes a server by `close`, dropping connections as they become idle: Node drops those that are idle when closing
 * begins, and would wait for the others until their clients let them go.
 */
export async function lettingGo(server: Server, close: () => PromiseLike<void>): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), letGoEveryMs);
  try {
    await close();
  } finally {
    clearInterval(timer);
  }
}

/** Stops listening, drops idle connections and waits for the rest. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  await lettingGo(server, async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
}
