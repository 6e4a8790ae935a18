import { createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What stands between the aggregators and a store does: passes on; refuses; answers 500 (engine only); takes requests and
 * never answers, without passing them on; passes them on and loses the answers.
 */
export type RelayMode = 'pass' | 'refuse' | 'error' | 'silent' | 'lostReply';

export interface Relay {
  readonly port: number;
  setMode(mode: RelayMode): void;
  close(): void;
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
export async function tcpRelay(targetPort: number): Promise<Relay> {
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
    close() {
      server.close();
      sockets.destroyAll();
    },
  };
}

/** Between clients and ClickHouse's HTTP interface: it sees where a request and its answer end. */
export async function httpRelay(targetPort: number): Promise<Relay> {
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
    close() {
      server.close();
      sockets.destroyAll();
    },
  };
}
