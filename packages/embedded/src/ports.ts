import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { LaunchError, systemCodeOf } from './launch-error.js';

const host = '127.0.0.1';
// Below the ports that systems hand to clients and to listeners on port 0 (Linux: from 32768, others: from 49152), so
// that none of those takes the port between the look here and the start of the program it is for.
const lowestPort = 20_000;
const firstEphemeralPort = 32_768;
const attemptsMax = 100;

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve());
    });
  });
}

/** Whether nobody listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(systemCodeOf(error) ?? '')) return false;
    throw error;
  }
}

/** A port of 127.0.0.1 that was free a moment ago, outside of the system's ephemeral ports. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(lowestPort, firstEphemeralPort);
    if (await isPortFree(port)) return port;
  }
  throw new LaunchError(`no port is free between ${lowestPort} and ${firstEphemeralPort}`);
}

/** Throws a LaunchError naming the part and the port when somebody else listens there. */
export async function requireFreePort(port: number, name: string): Promise<void> {
  if (!(await isPortFree(port))) {
    throw new LaunchError(`${name} cannot start: port ${port} is taken by another program`);
  }
}

/** The wanted port when it is free, else any free one. */
export async function preferPort(wanted: number): Promise<number> {
  return (await isPortFree(wanted)) ? wanted : freePort();
}

/** Whether something accepts connections on this port of 127.0.0.1. */
export function isPortOpen(port: number, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: timeoutMs });
    const finish = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}
