import { connect, createServer } from 'node:net';
import { LaunchError, systemCodeOf } from './launch-error.js';

const host = '127.0.0.1';

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the listener has no port'));
      });
    });
  });
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return listenOnce(0);
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
