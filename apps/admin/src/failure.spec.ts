import { describe, expect, it } from '@jest/globals';
import { ClickHouseQueryError, ClickHouseUnavailableError } from '@jetton-analytics/clickhouse';
import { DeadlineError, KafkaSettingsError } from '@jetton-analytics/kafka';
import { AccessError } from '@jetton-analytics/postgres';
import { SettingsError } from '@jetton-analytics/service/process';
import { AdminError } from './admin-error.js';
import { failureOf } from './failure.js';

const coded = (code: string, name = 'Error') => Object.assign(new Error('it failed'), { code, name });

describe('failureOf', () => {
  it.each([
    ['a wrong argument', new AdminError('usage', 'x'), 'usage'],
    ['a refusal', new AdminError('refused', 'x'), 'refused'],
    ['a key that is none', new AccessError('unknownKey', 'x'), 'refused'],
    ['a plan out of bounds', new AccessError('invalid', 'x'), 'usage'],
    ['a wrong setting', new SettingsError([]), 'settings'],
    ['a Kafka setting that is missing', new KafkaSettingsError('KAFKA_TLS', 'true'), 'settings'],
    ['a store that is away', new ClickHouseUnavailableError('x'), 'unavailable'],
    ['a statement that is refused', new ClickHouseQueryError('x', 62), 'failed'],
    ['a deadline', new DeadlineError('x', 1), 'unavailable'],
    ['a refused connection', coded('ECONNREFUSED'), 'unavailable'],
    ['several refused connections', new AggregateError([coded('ECONNREFUSED')], ''), 'unavailable'],
    ['what a refused connection caused', new Error('x', { cause: coded('ECONNREFUSED') }), 'unavailable'],
    ['a PostgreSQL that shuts down', coded('57P01'), 'unavailable'],
    ['a statement that took too long', coded('57014'), 'unavailable'],
    ['brokers that do not answer', coded('', 'KafkaJSNumberOfRetriesExceeded'), 'unavailable'],
    ['tables that are not there', coded('42P01'), 'refused'],
    ['columns that are not there', coded('42703'), 'refused'],
    ['columns that ClickHouse does not have', new ClickHouseQueryError('x', 16), 'refused'],
    ['tables that ClickHouse does not have', new ClickHouseQueryError('x', 60), 'refused'],
    ['anything else', new TypeError('x is not a function'), 'failed'],
  ])('knows %s', (_what, error, kind) => {
    expect(failureOf(error).kind).toBe(kind);
  });

  it('has a sentence also for errors that have none', () => {
    expect(failureOf(new AggregateError([coded('X'), coded('Y')], '')).message).toBe('it failed; it failed');
    expect(failureOf('a text').message).toBe('a text');
  });
});
