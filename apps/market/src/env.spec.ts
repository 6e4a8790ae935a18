import { describe, expect, it } from '@jest/globals';
import { readSettings } from './env.js';

describe('readSettings', () => {
  it('has the feed’s own topic names and a local Kafka by default', () => {
    expect(readSettings({})).toMatchObject({
      kafka: { brokers: ['127.0.0.1:9092'] },
      topics: {
        trades: 'indexer.streaming_dex_trades',
        pools: 'indexer.streaming_dex_pools',
        jettonMetadata: 'indexer.streaming_jetton_metadata',
        balances: 'indexer.streaming_balances_history',
      },
    });
  });

  it.each([
    ['KAFKA_TLS', { KAFKA_TLS: 'maybe' }],
    ['DEX_TRADES_TOPIC', { DEX_TRADES_TOPIC: 'a b' }],
    ['KAFKA_SASL_PASSWORD', { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }],
  ])('names a wrong %s', (name, env) => {
    expect(() => readSettings(env)).toThrow(
      expect.objectContaining({ exitCode: 78, message: expect.stringContaining(name) }),
    );
  });
});
