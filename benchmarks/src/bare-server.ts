// Started by bench:read: a bare node:http server that sends what it was last given by POST, whatever is asked.
import { createServer } from 'node:http';

let body = Buffer.alloc(0);
let status = 200;
const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    body = Buffer.concat(chunks);
    status = Number(request.headers['x-status'] ?? 200);
    response.end();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
