import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface Target {
  readonly url: string;
  /** Changed where a revalidation finds another answer: `if-none-match` then names that one. */
  readonly headers: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly etag: string | undefined;
}

/** One GET over a kept connection. Rejects when none can be had. */
export function get({ url, headers }: Target): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), etag: response.headers.etag }),
      );
    });
    sent.on('error', reject).end();
  });
}

async function checked(target: Target, status: number): Promise<void> {
  const answer = await get(target);
  if (status === 304 && answer.status === 200 && answer.etag !== undefined) {
    target.headers['if-none-match'] = answer.etag;
    return;
  }
  if (answer.status !== status) throw new Error(`${target.url} answered ${answer.status}: ${answer.body.toString()}`);
}

/** Asks from `clients` connections at once, each as soon as it is answered. Returns the requests answered. */
export async function saturate(target: Target, status: number, ms: number, clients = 8): Promise<number> {
  const end = performance.now() + ms;
  let answered = 0;
  const client = async () => {
    while (performance.now() < end) {
      await checked(target, status);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answered;
}

/** Asks at a fixed rate, whatever the answers take. Returns milliseconds from when each was due to its answer. */
export async function atRate(target: Target, status: number, perSecond: number, ms: number): Promise<number[]> {
  const began = performance.now();
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  for (let sent = 0; ;) {
    const elapsed = performance.now() - began;
    if (elapsed >= ms) break;
    for (const due = Math.floor((elapsed / 1_000) * perSecond); sent < due; sent += 1) {
      const dueAt = began + (sent / perSecond) * 1_000;
      answers.push(checked(target, status).then(() => void latencies.push(performance.now() - dueAt)));
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  await Promise.all(answers);
  return latencies;
}

export function closeConnections(): void {
  agent.destroy();
}
