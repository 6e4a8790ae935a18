import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';

const table = new RouteTable();
for (const [method, url] of [
  ['GET', '/v1/jettons'],
  ['GET', '/v1/jettons/:address'],
  ['HEAD', '/v1/jettons/:address'],
  ['OPTIONS', '/v1/jettons/:address'],
  ['POST', '/v1/jettons/stats'],
  ['GET', '/v1/jettons/:address/previews/:metric-:period.svg'],
] as const) {
  table.add(method, url);
}

describe('RouteTable', () => {
  it.each([
    ['/v1/jettons', ['GET']],
    ['/v1/jettons/0:ab', ['GET', 'HEAD']],
    ['/v1/jettons/stats', ['GET', 'HEAD', 'POST']],
    ['/v1/jettons/x/previews/price-day.svg', ['GET']],
  ])('tells the methods of %s', (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });

  it.each([
    '/',
    '/v1/jettons/',
    '/v1/jettons/a/b',
    '/v1/jettons/x/previews/price.svg',
    '/v1/jettons/x/previews/a-bxsvg',
  ])('does not know %s', (path) => {
    expect(table.methodsOf(path)).toEqual([]);
  });
});
