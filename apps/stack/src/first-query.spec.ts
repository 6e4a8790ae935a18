import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JettonStatisticsList } from '@jetton-analytics/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { paidQuery } from './first-query.js';

const asOf = '2026-03-10T10:00:00Z';
const recent = '2026-03-10T09:58:00Z';
const old = '2026-03-10T09:54:59Z';

// A real answer, as the document of the interface shows it.
const documentFile = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs', 'openapi.json');
const Example = z.object({ content: z.object({ 'application/json': z.object({ example: z.unknown() }) }) });
const Document = z.object({
  paths: z.object({
    '/v1/jettons/stats': z.object({ get: z.object({ responses: z.object({ '200': Example }) }) }),
  }),
});
const document = Document.parse(JSON.parse(readFileSync(documentFile, 'utf8')));
const example = JettonStatisticsList.parse(
  document.paths['/v1/jettons/stats'].get.responses['200'].content['application/json'].example,
);
const [item] = example.items;

/** A page of as many jettons as counts are given, calculated at an instant. */
function page(calculatedAt: string, ...counts: string[]): string {
  if (item === undefined) throw new Error('the example has no item');
  const items = counts.map((current) => ({
    ...item,
    transactions: { ...item.transactions, day: { ...item.transactions.day, current, calculatedAt } },
  }));
  return JSON.stringify({ ...example, items });
}

describe('the question of a paid plan', () => {
  let server: Server;
  let apiUrl: string;
  let asked: { readonly url: string | undefined; readonly authorization: string | undefined }[];
  /** The answers in turn, the last one again and again; a number is a status, 0 no answer at all. */
  let answers: (string | number)[];

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? 500;
      asked.push({ url: request.url, authorization: request.headers.authorization });
      if (answer === 0) return;
      if (typeof answer === 'number') response.writeHead(answer).end('{}');
      else response.setHeader('content-type', 'application/json').end(answer);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    apiUrl = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (signal = AbortSignal.timeout(30_000)) => paidQuery(apiUrl, 'a-key', asOf, signal);

  it('is asked with the key, and told with the transactions of the jettons most traded', async () => {
    answers = [page(recent, '30', '20', '10')];
    const path = '/v1/jettons/stats?sort=volume24h&order=desc&limit=3';
    expect(await ask()).toEqual({
      url: `${apiUrl}${path}`,
      answer: '30, 20, 10 transactions of these in a day',
    });
    expect(asked).toEqual([{ url: path, authorization: 'Bearer a-key' }]);
  });

  it('is asked again until the days are of the present, have transactions, and there are any', async () => {
    answers = [page(old, '5'), page(recent, '7', '0'), page(recent), page(recent, '8', '9')];
    expect((await ask())?.answer).toBe('8, 9 transactions of these in a day');
    expect(asked.length).toBeGreaterThanOrEqual(answers.length);
  }, 180_000);

  it('is asked again where an answer does not come', async () => {
    answers = [0, page(recent, '4')];
    expect((await ask())?.answer).toBe('4 transactions of these in a day');
    expect(asked.length).toBeGreaterThanOrEqual(answers.length);
  }, 180_000);

  it('is not told where the key is refused', async () => {
    answers = [403];
    expect(await ask()).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it('is given up when everything is to stop', async () => {
    answers = [page(old, '5')];
    await expect(ask(AbortSignal.timeout(1_000))).rejects.toThrow(/aborted/);
    expect(asked.length).toBeGreaterThan(0);
  });
});
