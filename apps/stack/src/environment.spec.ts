import { describe, expect, it } from '@jest/globals';
import { appEnvironment, parseStackEnv } from './environment.js';

const ways = { clock: 'wall', sourceKafka: false, logLevel: 'warn', logFormat: 'json' };

describe('the environment of the apps', () => {
  it('is what was set, with the ways of this stack over it', () => {
    const env = appEnvironment({ CLOCK: 'event', HOST: '0.0.0.0', STEP_SHORT_SECONDS: '5' }, ways);
    expect(env).toMatchObject({ CLOCK: 'wall', HOST: '127.0.0.1', STEP_SHORT_SECONDS: '5' });
  });

  it('leads to a foreign feed only when that is asked for', () => {
    const set = { SOURCE_KAFKA_BROKERS: 'feed:1', SOURCE_KAFKA_GROUP_ID: 'g' };
    expect(appEnvironment(set, ways)).not.toHaveProperty('SOURCE_KAFKA_BROKERS');
    expect(appEnvironment(set, ways)).toHaveProperty('SOURCE_KAFKA_GROUP_ID', 'g');
    expect(appEnvironment(set, { ...ways, sourceKafka: true })).toHaveProperty('SOURCE_KAFKA_BROKERS', 'feed:1');
  });

  it('takes an empty value for one that is not set', () => {
    expect(parseStackEnv({ KAFKA_BROKERS: '', PORT: '' })).toEqual({ LOG_LEVEL: 'warn' });
    expect(appEnvironment({ NETWORK: '' }, ways)).not.toHaveProperty('NETWORK');
  });

  it('names each setting that is wrong', () => {
    expect(() => parseStackEnv({ PORT: 'x', CLICKHOUSE_URL: 'ftp://c' })).toThrow(
      /CLICKHOUSE_URL: [^]*PORT: |PORT: [^]*CLICKHOUSE_URL: /,
    );
  });
});
