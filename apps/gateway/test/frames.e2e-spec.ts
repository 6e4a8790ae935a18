import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createHttpApp,
  createLogger,
  DomainError,
  type HttpApp,
  loadSettings,
  sendBytes,
  serviceSettings,
} from '@jetton-analytics/service';
import { Controller, Get, Module, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Upstream } from '../src/upstream/upstream.js';

const settings = loadSettings(z.object(serviceSettings), { LOG_LEVEL: 'silent', PORT: '0' });
const logger = createLogger({ name: 'spec', level: 'silent', format: 'json' });
const kept = Buffer.alloc(9_000, 'kept ');
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

/** Questions to `/slow/…` wait here until they may go on. */
const slow = { asked: 0, mayGo: Promise.withResolvers<void>() };

@Controller()
class AnswersController {
  @Get('kept')
  kept(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendBytes(request, reply, { body: kept, tag: 'kept', asOf: 1_760_000_000 }, 1_760_000_005_000);
  }

  @Get('large/:size')
  large(@Param('size') size: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const body = () => Buffer.alloc(Number(size), `${request.url} `);
    sendBytes(request, reply, { body, tag: size, asOf: undefined }, 0);
  }

  @Get('slow/:name')
  async slow(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    slow.asked += 1;
    await slow.mayGo.promise;
    sendBytes(request, reply, { body: Buffer.from(name), asOf: undefined }, 0);
  }

  @Get('refused')
  refused(): void {
    throw new DomainError('unavailable', 'not now', { retryAfterSeconds: 2 });
  }

  @Get('broken')
  broken(): void {
    throw new Error('of the app');
  }
}

@Module({ controllers: [AnswersController] })
class AnswersModule {}

async function startApp(frames = true): Promise<{ app: HttpApp; url: string }> {
  slow.asked = 0;
  slow.mayGo = Promise.withResolvers();
  const app = await createHttpApp(AnswersModule, { name: 'answers', settings, frames });
  const { url } = await app.listen();
  closings.push(() => app.close());
  return { app, url };
}

function upstreamOf(url: string, more: { frames?: boolean; timeoutMs?: number } = {}): Upstream {
  const options = { name: 'answers', url, timeoutMs: 5_000, connectionsMax: 16, frames: true, logger, ...more };
  const upstream = new Upstream(options);
  closings.push(() => upstream.close());
  return upstream;
}

const ask = async (upstream: Upstream, path: string, ifNoneMatch?: string) => {
  const { status, headers, body } = await upstream.ask({ path, requestId: 'id-1', ifNoneMatch });
  return { status, headers, body: Buffer.concat(body).toString('latin1') };
};

/** A server that counts connections, and what it is asked over HTTP. */
async function listening(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('questions in frames', () => {
  it('are answered as over HTTP: same status, headers and bytes, errors and 304 among them', async () => {
    const { url } = await startApp();
    const framed = upstreamOf(url);
    const overHttp = upstreamOf(url, { frames: false });
    const { headers } = await ask(overHttp, '/kept');
    const paths = ['/kept', '/kept', '/kept', '/kept', '/large/700000', '/refused', '/broken', '/nowhere', '/readyz'];
    for (const path of paths) {
      for (const tag of [undefined, '"other"', headers.etag]) {
        const expected = await ask(overHttp, path, tag);
        const { date, connection, 'keep-alive': keepAlive, 'content-length': length, ...rest } = expected.headers;
        expect([date, connection, keepAlive].every((hop) => hop !== undefined)).toBe(true);
        expect(length ?? '0').toBe(String(expected.body.length));
        expect(await ask(framed, path, tag)).toEqual({ ...expected, headers: rest });
      }
    }
  });

  it('go over few connections however many there are, and each gets its own answer in any order', async () => {
    const { url } = await startApp();
    const framed = upstreamOf(url);
    const names = Array.from({ length: 100 }, (_, index) => String(index));
    const waiting = Promise.all(names.map((name) => ask(framed, `/slow/${name}`)));
    const sizes = names.map((name) => 1_000 + Number(name) * 3_001);
    const bodies = await Promise.all(sizes.map((size) => ask(framed, `/large/${size}`)));
    expect(bodies.map(({ body }) => body)).toEqual(
      sizes.map((size) => Buffer.alloc(size, `/large/${size} `).toString()),
    );
    slow.mayGo.resolve();
    expect((await waiting).map(({ body }) => body)).toEqual(names);
  });

  it('that are under way are answered when the app stops, and those after it are told that it is away', async () => {
    const { app, url } = await startApp();
    const framed = upstreamOf(url);
    const waiting = Promise.all(['a', 'b', 'c'].map((name) => ask(framed, `/slow/${name}`)));
    while (slow.asked < 3) await new Promise(setImmediate);
    const closing = app.close();
    await new Promise(setImmediate);
    slow.mayGo.resolve();
    expect((await waiting).map(({ body }) => body)).toEqual(['a', 'b', 'c']);
    await closing;
    await expect(ask(framed, '/kept')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('go over HTTP where the app behind does not speak in frames', async () => {
    const { url } = await startApp(false);
    expect(await ask(upstreamOf(url), '/kept')).toMatchObject({ status: 200, body: kept.toString() });
    const plain = createServer((_request, response) => response.end('plain')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    closings.push(() => plain.close());
    const upstream = upstreamOf(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`);
    const answers = await Promise.all([1, 2, 3].map(() => ask(upstream, '/')));
    expect(answers.map(({ body }) => body)).toEqual(['plain', 'plain', 'plain']);
  });

  it('are asked once more where the connection breaks, and then told that the app is away', async () => {
    let connections = 0;
    const url = await listening((socket) => {
      connections += 1;
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n');
        socket.once('data', () => socket.destroy());
      });
    });
    await expect(ask(upstreamOf(url), '/')).rejects.toMatchObject({ code: 'unavailable' });
    expect(connections).toBe(2);
  });

  it('that no answer comes to end at their deadline, and those after them go over another connection', async () => {
    let connections = 0;
    const url = await listening((socket) => {
      connections += 1;
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n'));
    });
    const upstream = upstreamOf(url, { timeoutMs: 150 });
    for (const asked of [1, 2, 3]) {
      await expect(ask(upstream, '/')).rejects.toMatchObject({ code: 'deadlineExceeded' });
      expect(connections).toBe(asked);
    }
  });

  it('break the connection where the answer is no frame, rather than pass anything on', async () => {
    const url = await listening((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n');
        socket.on('data', () => socket.write(Buffer.alloc(100, 0xff)));
      });
    });
    await expect(ask(upstreamOf(url), '/')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that are no frames end their connection, and the app goes on', async () => {
    const { url } = await startApp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: jetton-analytics-frames-1\r\n\r\n');
    await once(socket, 'data');
    socket.write(Buffer.alloc(64, 0xff));
    socket.resume();
    await once(socket, 'close');
    expect((await ask(upstreamOf(url), '/kept')).status).toBe(200);
  });
});
