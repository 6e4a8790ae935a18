import { connect } from 'node:net';

const apiVersionsKey = 18;
const correlationId = 1;

function apiVersionsRequest(): Buffer {
  const body = Buffer.alloc(10);
  body.writeInt16BE(apiVersionsKey, 0);
  body.writeInt16BE(0, 2); // version 0: every broker answers it
  body.writeInt32BE(correlationId, 4);
  body.writeInt16BE(-1, 8); // no client id
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length);
  return Buffer.concat([size, body]);
}

/**
 * Whether a Kafka broker answers requests at this port of 127.0.0.1: an open port alone may be a broker still starting,
 * or another program. Resolves to false after `timeoutMs`. (Protocol: kafka.apache.org, ApiVersions v0.)
 */
export function answersKafka(port: number, timeoutMs = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const finish = (answer: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.once('connect', () => socket.write(apiVersionsRequest()));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 10) return;
      finish(received.readInt32BE(4) === correlationId && received.readInt16BE(8) === 0);
    });
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
