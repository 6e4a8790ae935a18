import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpApp } from '@jetton-analytics/service';
import { startGateway } from './start-gateway.js';

let app: HttpApp;
let url: string;

beforeAll(async () => {
  app = await startGateway({ RATE_LIMITS: 'on' });
  ({ url } = await app.listen());
}, 300_000);
afterAll(() => app.close());

describe('the docs', () => {
  it('load everything they need from here, as their policy says, and count towards no limit', async () => {
    const page = await fetch(`${url}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const html = await page.text();
    expect(html).not.toMatch(/<script>|https?:|\son\w+=/);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => new URL(match[1] ?? '', `${url}/docs`));
    expect(loaded.map(({ pathname }) => pathname)).toEqual([
      '/docs/swagger-ui.css',
      '/docs/favicon-32x32.png',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ]);
    for (let round = 0; round < 10; round += 1) {
      for (const asset of loaded) {
        const response = await fetch(asset);
        expect([asset.pathname, response.status]).toEqual([asset.pathname, 200]);
        expect(response.headers.get('ratelimit')).toContain('"rate";r=10;');
        const length = (await response.arrayBuffer()).byteLength;
        expect(length).toBeGreaterThan(100);
      }
    }
  });

  it('are not sent again to whoever has them, and may be kept', async () => {
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json']) {
      const first = await fetch(`${url}${path}`, { headers: { 'Accept-Encoding': 'br' } });
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      await first.arrayBuffer();
      const again = await fetch(`${url}${path}`, { headers: { 'If-None-Match': etag } });
      expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    }
  });

  it('are made from the document that is served: OpenAPI 3.1', async () => {
    const response = await fetch(`${url}/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Jetton analytics' } });
    expect((await fetch(`${url}/docs`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
  });
});
