// The thread of one relay. A run compares for minutes without a turn of its event loop; what stands between the service and
// its stores must not stand still meanwhile. Node strips the types of this file: it may import values of node alone.
import { createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { RelayedProtocol, RelayMode } from './relays.js';

/** A relay that listens. */
interface Listening {
  readonly port: number;
  setMode(mode: RelayMode): void;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Keeps the sockets of a server, to break them. */
function socketsOf(server: Server): { destroyAll(): void } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    destroyAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Between clients and a server that speaks any protocol over TCP. What a mode has garbled is cut when it ends. */
async function tcpRelay(targetPort: number): Promise<Listening> {
  let mode: RelayMode = 'pass';
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (mode === 'refuse') {
      socket.destroy();
      return;
    }
    const onward = connect(targetPort, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.on('data', (bytes: Buffer) => {
      if (mode !== 'silent' && !onward.write(bytes)) {
        socket.pause();
        onward.once('drain', () => socket.resume());
      }
    });
    onward.on('data', (bytes: Buffer) => {
      if (mode === 'pass' && !socket.write(bytes)) {
        onward.pause();
        socket.once('drain', () => onward.resume());
      }
    });
  });
  const sockets = socketsOf(server);
  const port = await listening(server);
  return {
    port,
    setMode(next) {
      const garbled = mode === 'silent' || mode === 'lostReply';
      mode = next === 'error' ? 'refuse' : next;
      if (garbled || mode === 'refuse') sockets.destroyAll();
    },
  };
}

/** Between clients and ClickHouse's HTTP interface: it sees where a request and its answer end. */
async function httpRelay(targetPort: number): Promise<Listening> {
  let mode: RelayMode = 'pass';
  const held = new Set<IncomingMessage>();
  const server = createHttpServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const asked = mode;
    incoming.on('error', () => outgoing.destroy());
    if (asked === 'refuse') {
      incoming.socket.destroy();
    } else if (asked === 'silent') {
      held.add(incoming);
      incoming.on('close', () => held.delete(incoming));
      incoming.resume();
    } else if (asked === 'error') {
      incoming.resume();
      incoming.on('end', () => outgoing.writeHead(500, { 'Content-Type': 'text/plain' }).end('upstream failure\n'));
    } else forward(incoming, outgoing, asked === 'lostReply');
  });
  function forward(incoming: IncomingMessage, outgoing: ServerResponse, isLost: boolean): void {
    const { method, url = '/', headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (answer) => {
      if (isLost) {
        // The statement is done; nobody is told.
        answer.resume();
        answer.on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  }
  server.keepAliveTimeout = 30_000;
  const sockets = socketsOf(server);
  const port = await listening(server);
  return {
    port,
    setMode(next) {
      mode = next;
      for (const one of held) one.socket.destroy();
      if (mode === 'refuse') sockets.destroyAll();
    },
  };
}

const { protocol, targetPort } = workerData as { readonly protocol: RelayedProtocol; readonly targetPort: number };
const relay = await (protocol === 'http' ? httpRelay : tcpRelay)(targetPort);
parentPort?.on('message', (mode: RelayMode) => relay.setMode(mode));
parentPort?.postMessage(relay.port, []);
