import { createServer, request } from 'node:http';

export interface RoundRobin {
  readonly url: string;
  /** How many requests each target was given. */
  readonly counts: readonly number[];
  close(): void;
}

/** One address for several replicas: each request goes to the next of them, whatever connection it came on. */
export async function roundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const counts = targets.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const index = turn % targets.length;
    turn += 1;
    counts[index] = (counts[index] ?? 0) + 1;
    const { method, url = '/', headers } = incoming;
    const onward = request(new URL(targets[index] ?? ''), { method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
