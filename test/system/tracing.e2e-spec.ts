import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@jetton-analytics/testing';
import { Recomputation } from './src/oracle/recompute.js';
import { adversarialMarket } from './src/support/adversarial-market.js';
import type { AppProcess } from './src/support/app-process.js';
import { Deployment } from './src/support/deployment.js';
import { chooseSeed } from './src/support/seed.js';
import { ServiceClient } from './src/support/service-client.js';
import { TraceCollector } from './src/support/trace-collector.js';

const collectorLogin = 'a login that only the collector may see';
const newTraceParent = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

const market = adversarialMarket(chooseSeed(), 300);
const producers = [newTraceParent(), newTraceParent()];
// Every third record has no context, and one has nonsense for it.
const records = market.records.map((record, n) => {
  const traceparent = n === 1 ? '00-nonsense-ff' : n % 3 === 0 ? undefined : producers[n % 2];
  return traceparent === undefined ? record : { ...record, headers: { ...record.headers, traceparent } };
});
const [jetton = ''] = new Recomputation(market.records).jettons;

type Line = Readonly<Record<string, unknown>>;
const linesOf = (app: AppProcess): Line[] =>
  app
    .tail()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
const lineOf = (app: AppProcess, requestId: string) =>
  pollUntil(() => linesOf(app).find((line) => line['requestId'] === requestId && line['msg'] === 'request'), {
    what: `the line of ${requestId}`,
    timeoutMs: 60_000,
  });

describe('traces from HTTP through Kafka to ClickHouse, as a collector gets them', () => {
  const collector = new TraceCollector();
  let deployment: Deployment;
  let metrics: AppProcess;
  let statistics: AppProcess;
  let gateway: AppProcess;
  let client: ServiceClient;

  beforeAll(async () => {
    deployment = await Deployment.prepare('tracing');
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(collectorLogin)}`,
      LOG_LEVEL: 'debug',
    };
    await deployment.startAggregator('event', env);
    [metrics, statistics] = await Promise.all([
      deployment.startQueryApp('metrics', env),
      deployment.startQueryApp('statistics', env),
    ]);
    gateway = await deployment.startGatewayApp(statistics, metrics, env);
    client = new ServiceClient(gateway.url);
    await deployment.topic.produce(records);
    await client.caughtUp(await deployment.topic.recordCount(), { clock: 'event' });
    // The status is the statistics app's.
    await pollUntil(async () => (await client.get(`/v1/jettons/${jetton}`)).status === 200, {
      what: 'the metrics app to know the jetton',
      timeoutMs: 120_000,
    });
  }, 600_000);
  afterAll(async () => {
    await deployment?.stop();
    collector.close();
  }, 600_000);

  /** The spans of a request from the outermost on, each the parent of the next. */
  const path = async (requestId: string, last: { service: string; kind: string }) => {
    const first = await collector.find(
      `the gateway's span of ${requestId}`,
      ({ service, kind, attributes }) =>
        service === 'gateway' && kind === 'server' && attributes['jetton_analytics.request_id'] === requestId,
    );
    const chain = [first];
    while (chain.at(-1)?.service !== last.service || chain.at(-1)?.kind !== last.kind) {
      const parent = chain.at(-1);
      chain.push(
        await collector.find(
          `a span below ${parent?.service} ${parent?.name}`,
          ({ traceId, parentSpanId }) => traceId === parent?.traceId && parentSpanId === parent?.spanId,
        ),
      );
    }
    return chain;
  };

  it('a request is one trace: the gateway, its question, the app behind and its statement, one below the other', async () => {
    await deployment.explained(async () => {
      const requestId = 'traced-transactions';
      const headers = { 'X-Request-Id': requestId };
      expect((await client.get(`/v1/jettons/${jetton}/transactions`, { headers })).status).toBe(200);
      const spans = await path(requestId, { service: 'metrics', kind: 'client' });
      expect(spans.map(({ service, kind }) => `${service} ${kind}`)).toEqual([
        'gateway server',
        'gateway client',
        'metrics server',
        'metrics client',
      ]);
      const [outer, question, inner, statement] = spans;
      expect(outer?.attributes).toMatchObject({
        'http.route': '/v1/jettons/:address/transactions',
        'http.response.status_code': '200',
      });
      expect(question?.name).toBe('ask metrics');
      expect(inner?.attributes['http.route']).toBe('/v1/jettons/:address/transactions');
      expect(statement?.attributes['db.system.name']).toBe('clickhouse');
    });
  }, 600_000);

  it('the lines of a request carry its trace, its span and its request id, in both processes', async () => {
    await deployment.explained(async () => {
      const requestId = 'traced-lines';
      const headers = { 'X-Request-Id': requestId };
      expect((await client.get(`/v1/jettons/${jetton}/stats`, { headers })).status).toBe(200);
      const [outer, , inner] = await path(requestId, { service: 'statistics', kind: 'server' });
      expect(await lineOf(gateway, requestId)).toMatchObject({ trace_id: outer?.traceId, span_id: outer?.spanId });
      expect(await lineOf(statistics, requestId)).toMatchObject({ trace_id: outer?.traceId, span_id: inner?.spanId });
    });
  }, 600_000);

  it('a request with a body stays in its trace, though its body comes later than its header', async () => {
    await deployment.explained(async () => {
      const requestId = 'traced-body';
      const options = { headers: { 'X-Request-Id': requestId }, body: { address: [jetton] } };
      expect((await client.get('/v1/jettons/trading-volume/change', options)).status).toBe(200);
      const spans = await path(requestId, { service: 'statistics', kind: 'server' });
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    });
  }, 600_000);

  it('nobody from outside decides on our traces: his span is linked and is no parent', async () => {
    await deployment.explained(async () => {
      const requestId = 'traced-caller';
      const traceparent = newTraceParent();
      await client.get(`/v1/jettons/${jetton}/stats`, { headers: { 'X-Request-Id': requestId, traceparent } });
      const [outer] = await path(requestId, { service: 'statistics', kind: 'server' });
      const [, traceId, spanId] = traceparent.split('-');
      expect(outer?.traceId).not.toBe(traceId);
      expect(outer?.parentSpanId ?? '').toBe('');
      expect(outer?.links).toMatchObject([{ traceId, spanId }]);
    });
  }, 600_000);

  it('batches are linked to the producers of their records, each once, with their statements below', async () => {
    await deployment.explained(async () => {
      const name = `process ${deployment.topic.name}`;
      const ofTrades = () => collector.spans.filter((span) => span.kind === 'consumer' && span.name === name);
      const linked = () => new Set(ofTrades().flatMap(({ links = [] }) => links.map((link) => link.spanId)));
      await pollUntil(() => linked().size >= producers.length, { what: 'links', timeoutMs: 120_000 });
      expect(linked()).toEqual(new Set(producers.map((parent) => parent.split('-')[2])));
      for (const { links = [] } of ofTrades()) {
        expect(new Set(links.map(({ spanId }) => spanId)).size).toBe(links.length);
      }
      const insert = await collector.find(
        'an insert of a batch',
        ({ service, kind, traceId, attributes }) =>
          service === 'aggregator' &&
          kind === 'client' &&
          attributes['db.system.name'] === 'clickhouse' &&
          ofTrades().some((span) => span.traceId === traceId),
      );
      const round = await collector.find('its round', ({ spanId }) => spanId === insert.parentSpanId);
      const batch = await collector.find('its batch', ({ spanId }) => spanId === round.parentSpanId);
      expect([round.name, batch.name, batch.kind]).toEqual(['round', name, 'consumer']);
    });
  }, 600_000);

  it('a record we write carries our span, one that we pass on keeps that of its producer', async () => {
    await deployment.explained(async () => {
      const bad = new Recomputation(records).bad.length;
      const letters = await deployment.topic.deadLetters(`${deployment.name}_letters`, bad);
      const carried = letters.map(({ headers }) => headers['traceparent']);
      expect(carried.filter((one) => one !== undefined && producers.includes(one)).length).toBeGreaterThan(0);
      const own = carried.find((one) => one !== undefined && !producers.includes(one) && !one.includes('nonsense'));
      const [, traceId = '', spanId = ''] = own?.split('-') ?? [];
      const sent = await collector.find('the span that sent the letter', (span) => span.spanId === spanId);
      expect(sent).toMatchObject({ traceId, kind: 'producer', name: `send ${deployment.topic.name}.dlq` });
    });
  }, 600_000);

  it('no span holds an address, a query, a key or a password, and the collector’s login is only in its header', async () => {
    await deployment.explained(async () => {
      const requestId = 'traced-secrets';
      const headers = { 'X-Request-Id': requestId };
      const key = 'ja_live_abcdefghijklmnopqrstuvwxyz012345AAAAAA';
      await client.get(`/v1/jettons?search=sought-after&limit=1`, { headers, key });
      await path(requestId, { service: 'gateway', kind: 'server' });
      const all = collector.received.join('\n').toLowerCase();
      for (const hidden of [jetton, key, 'sought-after', 'signs the cursors', collectorLogin, 'postgres://']) {
        expect(all).not.toContain(hidden.toLowerCase());
      }
      expect(collector.headers[0]).toMatchObject({ authorization: collectorLogin, path: '/v1/traces' });
    });
  }, 600_000);
});
