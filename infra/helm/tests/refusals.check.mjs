import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { render } from './render.mjs';

const refused = (set, ...patterns) => {
  const { error } = render('minimal', set);
  assert.notEqual(error, undefined, `not refused: ${JSON.stringify(set)}`);
  for (const pattern of patterns) assert.match(error, pattern);
};

describe('values that do not fit are refused with what to do', () => {
  it('names everything that is missing at once, and has no default for any of it', () => {
    const { error } = render(undefined);
    for (const name of [
      'image.repository',
      'clickhouse.url',
      'clickhouse.passwordSecret',
      'postgres.urlSecret',
      'kafka.brokers',
      'cursorSecret',
      'publicUrl',
    ]) {
      assert.ok(error.includes(name), name);
    }
  });

  for (const [title, set, pattern] of [
    ['a misspelt value', { 'kafka.broker': 'x:1' }, /broker' not allowed|Additional property broker/],
    ['a misspelt setting', { 'gateway.settings': { LOG_LEVELS: 'info' } }, /LOG_LEVELS/],
    ['a setting of another app', { 'gateway.settings': { LEDGER_RETENTION_DAYS: 400 } }, /LEDGER_RETENTION_DAYS/],
    ['a setting that the chart sets itself', { 'gateway.settings': { DATABASE_URL: 'postgres://x' } }, /DATABASE_URL/],
    ['no replica at all', { 'gateway.replicaCount': 0 }, /replicaCount/],
    ['brokers without a port', { 'kafka.brokers': 'kafka' }, /brokers/],
    [
      'a login in the address of ClickHouse',
      { 'clickhouse.url': 'http://user:word@clickhouse:8123' },
      /clickhouse\.passwordSecret/,
    ],
    ['aggregators of unknown use', { 'aggregator.replicaCount': 2 }, /set topics\.tradesPartitions/],
    [
      'more aggregators than partitions',
      { 'aggregator.replicaCount': 5, 'topics.tradesPartitions': 4 },
      /5 aggregators for 4 partitions/,
    ],
    [
      'KEDA beyond the partitions',
      { 'aggregator.keda.enabled': true, 'aggregator.keda.maxReplicas': 9, 'topics.tradesPartitions': 8 },
      /9 aggregators for 8/,
    ],
    ['gateways that count limits apart', { 'valkey.urlSecret.name': '' }, /valkey\.urlSecret\.name/],
    ['a login without a secret', { 'kafka.sasl.mechanism': 'plain' }, /kafka\.sasl\.secretName/],
    ['an unknown login', { 'kafka.sasl.mechanism': 'gssapi' }, /mechanism/],
    ['certificates without TLS', { 'kafka.tls.secretName': 'x' }, /kafka\.tls\.enabled=true/],
    [
      'half of a client certificate',
      { 'kafka.tls': { enabled: true, secretName: 'x', certKey: 'tls.crt' } },
      /certKey and keyKey/,
    ],
    ['a login for a feed without brokers', { 'sourceKafka.tls.enabled': true }, /set sourceKafka\.brokers/],
    [
      'topics of a feed elsewhere',
      { 'sourceKafka.brokers': 'feed:9092', 'migration.createFeedTopics': true },
      /createFeedTopics/,
    ],
    [
      'too short a grace period',
      { 'gateway.shutdown.terminationGracePeriodSeconds': 20 },
      /terminationGracePeriodSeconds is 20/,
    ],
    [
      'scaling by CPU without a request',
      { 'gateway.autoscaling.enabled': true, 'gateway.resources.requests.cpu': null },
      /resources\.requests\.cpu/,
    ],
    ['an Ingress without a host', { 'ingress.enabled': true }, /ingress\.host/],
    ['a route without a Gateway', { 'httpRoute.enabled': true }, /parentRefs/],
    ['apps cut off from their stores', { 'networkPolicy.egress.enabled': true }, /egress\.stores/],
  ]) {
    it(title, () => refused(set, pattern));
  }
});
