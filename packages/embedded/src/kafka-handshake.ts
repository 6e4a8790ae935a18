import { connect } from 'node:net';

const apiVersions = 18;
const findCoordinator = 10;
const correlationId = 1;

function request(apiKey: number, body: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header.writeInt32BE(10 + body.length, 0);
  header.writeInt16BE(apiKey, 4);
  header.writeInt16BE(0, 6); // version 0: every broker answers it
  header.writeInt32BE(correlationId, 8);
  header.writeInt16BE(-1, 12); // no client id
  return Buffer.concat([header, body]);
}

function groupName(name: string): Buffer {
  const body = Buffer.alloc(2 + name.length);
  body.writeInt16BE(name.length);
  body.write(name, 2);
  return body;
}

/** The error code of the answer, or undefined when there is none in time. */
function errorCodeOf(port: number, message: Buffer, timeoutMs: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const finish = (answer: number | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), timeoutMs);
    socket.once('connect', () => socket.write(message));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 10) return;
      finish(received.readInt32BE(4) === correlationId ? received.readInt16BE(8) : undefined);
    });
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
  });
}

/**
 * Whether a Kafka broker at this port of 127.0.0.1 answers requests and coordinates groups. An open port alone may be a
 * broker still starting, or another program; and the first question for a coordinator makes the topic of the offsets,
 * so that without it the first consumers of a new broker fail for some seconds. Resolves to false after `timeoutMs`.
 * (Protocol: kafka.apache.org, ApiVersions v0 and FindCoordinator v0.)
 */
export async function answersKafka(port: number, timeoutMs = 2_000): Promise<boolean> {
  if ((await errorCodeOf(port, request(apiVersions, Buffer.alloc(0)), timeoutMs)) !== 0) return false;
  return (await errorCodeOf(port, request(findCoordinator, groupName('readiness')), timeoutMs)) === 0;
}
