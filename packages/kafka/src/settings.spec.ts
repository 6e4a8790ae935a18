import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { resolveConnections } from './connection.js';
import { KafkaSettingsError } from './errors.js';
import { kafkaSettings, sourceKafkaSettings } from './settings.js';

const Env = z.object({ ...kafkaSettings, ...sourceKafkaSettings });
const connections = (env: Record<string, string>) => resolveConnections(Env.parse(env));
const login = { SASL_MECHANISM: 'scram-sha-512', SASL_USERNAME: 'user', SASL_PASSWORD: 'secret' };
const prefixed = (prefix: string, env: Record<string, string>) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [prefix + name, value]));

describe('the Kafka settings', () => {
  it('have a description each', () => {
    const undescribed = Object.entries(Env.shape).filter(([, schema]) => !schema.description);
    expect(undescribed).toEqual([]);
  });

  it('need nothing: the local broker, and the feed on it', () => {
    const own = { prefix: 'KAFKA_', brokers: ['127.0.0.1:9092'], clientId: 'jetton-analytics' };
    expect(connections({})).toEqual({ own, source: own });
    expect(Env.parse({}).SOURCE_KAFKA_GROUP_ID).toBe('jetton-analytics-aggregator');
  });

  it('take several brokers by commas and refuse what is no host:port', () => {
    expect(connections({ KAFKA_BROKERS: 'a:1, b:2' }).own.brokers).toEqual(['a:1', 'b:2']);
    for (const list of ['localhost', 'a:1,', 'a:1;b:2x', '']) {
      expect(Env.safeParse({ KAFKA_BROKERS: list }).success).toBe(false);
    }
  });

  it('give the feed our own login and TLS where it lies on our own cluster', () => {
    const { own, source } = connections({
      ...prefixed('KAFKA_', login),
      KAFKA_TLS: 'true',
      SOURCE_KAFKA_CLIENT_ID: 'x',
    });
    expect(own.login).toEqual({ mechanism: 'scram-sha-512', username: 'user', password: 'secret' });
    expect(source).toEqual({ ...own, clientId: 'x' });
  });

  it('never send our own login to a feed on another cluster', () => {
    const { source } = connections({
      ...prefixed('KAFKA_', login),
      KAFKA_TLS: 'true',
      SOURCE_KAFKA_BROKERS: 'feed:9093',
    });
    expect(source).toEqual({ prefix: 'SOURCE_KAFKA_', brokers: ['feed:9093'], clientId: 'jetton-analytics' });
  });

  it('reach a feed by SASL over plain text and by TLS with a CA and a client certificate', () => {
    const tls = { TLS: 'true', TLS_CA_FILE: 'ca.pem', TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };
    const { source } = connections({
      SOURCE_KAFKA_BROKERS: 'feed:9093',
      ...prefixed('SOURCE_KAFKA_', { ...login, ...tls }),
    });
    expect(source.login?.mechanism).toBe('scram-sha-512');
    expect(source.tls).toEqual({ caFile: 'ca.pem', certFile: 'cert.pem', keyFile: 'key.pem' });
  });

  it.each([
    ['KAFKA_SASL_USERNAME', { KAFKA_SASL_MECHANISM: 'plain' }],
    ['KAFKA_SASL_PASSWORD', { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'user' }],
    ['KAFKA_SASL_MECHANISM', { KAFKA_SASL_PASSWORD: 'secret' }],
    ['KAFKA_TLS', { KAFKA_TLS_CA_FILE: 'ca.pem' }],
    ['KAFKA_TLS_KEY_FILE', { KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: 'cert.pem' }],
    ['KAFKA_TLS_CERT_FILE', { KAFKA_TLS: 'true', KAFKA_TLS_KEY_FILE: 'key.pem' }],
    ['SOURCE_KAFKA_BROKERS', { SOURCE_KAFKA_TLS: 'true' }],
    ['SOURCE_KAFKA_SASL_USERNAME', { SOURCE_KAFKA_BROKERS: 'feed:1', SOURCE_KAFKA_SASL_MECHANISM: 'plain' }],
  ])('refuse a half-set combination, naming %s', (setting, env) => {
    const error = expect.objectContaining({ setting });
    expect(() => connections(env)).toThrow(KafkaSettingsError);
    expect(() => connections(env)).toThrow(error);
  });

  it('refuse an unknown mechanism', () => {
    expect(Env.safeParse({ KAFKA_SASL_MECHANISM: 'gssapi' }).success).toBe(false);
  });
});
