import { describe, expect, it } from '@jest/globals';
import { appEnvironment, parseStackEnv } from './environment.js';

const stores = { kafkaBrokers: 'b:1', databaseUrl: 'postgres://d', clickhouseUrl: 'http://c' };
const ways = { clock: 'wall', sourceKafka: false, logLevel: 'warn', logFormat: 'json' };

describe('the environment of the apps', () => {
  it('holds the addresses of this stack over whatever was set', () => {
    const env = appEnvironment({ KAFKA_BROKERS: 'old:1', CLOCK: 'event', STEP_SHORT_SECONDS: '5' }, stores, ways);
    expect(env).toMatchObject({
      KAFKA_BROKERS: 'b:1',
      CLOCK: 'wall',
      CLICKHOUSE_URL: 'http://c',
      STEP_SHORT_SECONDS: '5',
    });
  });

  it('leads to a foreign feed only when that is asked for', () => {
    const set = { SOURCE_KAFKA_BROKERS: 'feed:1', SOURCE_KAFKA_GROUP_ID: 'g' };
    expect(appEnvironment(set, stores, ways)).not.toHaveProperty('SOURCE_KAFKA_BROKERS');
    expect(appEnvironment(set, stores, ways)).toHaveProperty('SOURCE_KAFKA_GROUP_ID', 'g');
    expect(appEnvironment(set, stores, { ...ways, sourceKafka: true })).toHaveProperty(
      'SOURCE_KAFKA_BROKERS',
      'feed:1',
    );
  });

  it('takes an empty value for one that is not set', () => {
    expect(parseStackEnv({ KAFKA_BROKERS: '', PORT: '' })).toEqual({ LOG_LEVEL: 'warn' });
    expect(appEnvironment({ NETWORK: '' }, stores, ways)).not.toHaveProperty('NETWORK');
  });

  it('names each setting that is wrong', () => {
    expect(() => parseStackEnv({ PORT: 'x', CLICKHOUSE_URL: 'ftp://c' })).toThrow(
      /CLICKHOUSE_URL: [^]*PORT: |PORT: [^]*CLICKHOUSE_URL: /,
    );
  });
});
