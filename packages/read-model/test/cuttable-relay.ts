import { connect, createServer, type Socket } from 'node:net';

export interface CuttableRelay {
  readonly url: string;
  /** Breaks every connection and refuses new ones, until mended. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Passes bytes on to a server, in place of stopping a server that other specs use. */
export async function cuttableRelay(target: string): Promise<CuttableRelay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((socket) => {
    if (!whole) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => sockets.delete(one));
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      whole = true;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
