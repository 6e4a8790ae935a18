import { connect } from 'node:net';

const metadata = { key: 3, version: 2 } as const;
const findCoordinator = { key: 10, version: 0 } as const;
const correlationId = 1;
const responseBytesMax = 65_536;

/** A Kafka string: its length in two bytes, then its bytes. */
function text(value: string): Buffer {
  const buffer = Buffer.alloc(2 + Buffer.byteLength(value));
  buffer.writeInt16BE(buffer.length - 2);
  buffer.write(value, 2);
  return buffer;
}

function request({ key, version }: { key: number; version: number }, body: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header.writeInt32BE(10 + body.length, 0);
  header.writeInt16BE(key, 4);
  header.writeInt16BE(version, 6);
  header.writeInt32BE(correlationId, 8);
  header.writeInt16BE(-1, 12); // no client id
  return Buffer.concat([header, body]);
}

/** What follows the header of the answer, or undefined when there is no such answer in time. */
function ask(port: number, message: Buffer, timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const finish = (answer: Buffer | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), timeoutMs);
    socket.once('connect', () => socket.write(message));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 8) return;
      const size = received.readInt32BE(0);
      if (size < 4 || size > responseBytesMax || received.readInt32BE(4) !== correlationId) finish(undefined);
      else if (received.length >= 4 + size) finish(received.subarray(8, 4 + size));
    });
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
  });
}

/** The cluster id in an answer to Metadata v2: after the brokers (id, host, port, rack). */
function clusterIdOf(answer: Buffer): string | undefined {
  let at = 4;
  const skipText = () => {
    at += 2 + Math.max(0, answer.readInt16BE(at));
  };
  for (let left = answer.readInt32BE(0); left > 0; left--) {
    at += 4;
    skipText();
    at += 4;
    skipText();
  }
  const length = answer.readInt16BE(at);
  return length < 0 ? undefined : answer.toString('utf8', at + 2, at + 2 + length);
}

/**
 * Whether the broker of this cluster answers at this port of 127.0.0.1 and coordinates groups. An open port alone may be
 * a broker still starting, or somebody else's, in which nothing of ours must be made; and the first question for a
 * coordinator makes the topic of the offsets, so that without it the first consumers of a new broker fail for some
 * seconds. Resolves to false after `timeoutMs`. (Protocol: kafka.apache.org, Metadata v2 and FindCoordinator v0.)
 */
export async function answersKafka(port: number, clusterId: string, timeoutMs = 2_000): Promise<boolean> {
  const noTopics = Buffer.alloc(4);
  const about = await ask(port, request(metadata, noTopics), timeoutMs);
  if (about === undefined || clusterIdOf(about) !== clusterId) return false;
  const coordinator = await ask(port, request(findCoordinator, text('readiness')), timeoutMs);
  return coordinator !== undefined && coordinator.readInt16BE(0) === 0;
}
