import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createHealthServer } from './health-server.js';
import { createHttpApp } from './http-app.js';
import { loadSettings } from './load-settings.js';
import { createLogger, type Logger } from './logging.js';
import { LOGGER } from './service.module.js';
import { serviceSettings } from './settings.js';
import { z } from 'zod';

const settings = loadSettings(z.object(serviceSettings), { LOG_LEVEL: 'silent' });

describe('closing an HTTP app', () => {
  it('finishes the requests under way, then runs the shutdown hooks, and takes no new connection', async () => {
    // The request arrives and waits until it may finish.
    const arrived = Promise.withResolvers<void>();
    const mayFinish = Promise.withResolvers<void>();
    const order: string[] = [];

    @Injectable()
    class Resource implements OnApplicationShutdown {
      onApplicationShutdown(): void {
        order.push('resource closed');
      }
    }

    @Controller()
    class SlowController {
      constructor(@Inject(LOGGER) readonly logger: Logger) {}

      @Get('slow')
      async read(): Promise<Buffer> {
        arrived.resolve();
        await mayFinish.promise;
        order.push('request finished');
        return Buffer.from('done');
      }
    }

    @Module({ controllers: [SlowController], providers: [Resource] })
    class SlowModule {}

    const app = await createHttpApp(SlowModule, { name: 'slow', settings });
    const { url, metricsUrl } = await app.listen();
    const pending = fetch(`${url}/slow`).then((response) => response.text());
    await arrived.promise;
    const closing = app.close();
    expect((await app.health.ready()).ok).toBe(false);
    // Once it does not listen any more, so that the connection becomes idle after those that are dropped at once.
    const listens = () =>
      fetch(`${url}/livez`, { headers: { Connection: 'close' } }).then(
        () => true,
        () => false,
      );
    while (await listens());
    mayFinish.resolve();
    expect(await pending).toBe('done');
    await closing;
    expect(order).toEqual(['request finished', 'resource closed']);
    await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
    await expect(fetch(`${metricsUrl}/metrics`)).rejects.toThrow('fetch failed');
  });
});

describe('a health server', () => {
  it('serves health and metrics without an app, with the same errors', async () => {
    const server = createHealthServer(settings, createLogger({ name: 'x', level: 'silent', format: 'json' }));
    server.health.addLiveness('loop', () => ({ ok: false, detail: 'no progress for 61 s' }));
    const { url, metricsUrl } = await server.listen();
    const live = await fetch(`${url}/livez`);
    expect(live.status).toBe(503);
    expect(await live.json()).toEqual({
      status: 'not live',
      checks: { loop: { ok: false, detail: 'no progress for 61 s' } },
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const unknown = await fetch(`${url}/v1/status`);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await (await fetch(`${metricsUrl}/metrics`)).text()).toContain('nodejs_version_info');
    await server.close();
  });
});
