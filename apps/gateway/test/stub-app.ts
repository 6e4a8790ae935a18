import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

interface StubRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StubApp {
  readonly url: string;
  readonly requests: StubRequest[];
  /** What it answers to everything: JSON, with an ETag of it. */
  body: string;
  close(): void;
}

/** An app behind the gateway, at the process boundary, that answers every path and method alike. */
export async function stubApp(body: string): Promise<StubApp> {
  const requests: StubRequest[] = [];
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const age = { 'X-Data-As-Of': '2025-10-09T08:53:18Z', 'X-Data-Lag': '3' };
      const etag = `"${hash('sha256', app.body, 'base64url').slice(0, 22)}"`;
      if (headers['if-none-match']?.includes(etag) === true) {
        response.writeHead(304, { ETag: etag, ...age }).end();
        return;
      }
      const tag = method === 'POST' ? {} : { ETag: etag };
      response.writeHead(200, { 'Content-Type': 'application/json', ...tag, ...age }).end(app.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const app: StubApp = {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    body,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return app;
}
