import { ClickHouseQueryError, ClickHouseUnavailableError } from '@jetton-analytics/clickhouse';
import { DeadlineError, KafkaSettingsError } from '@jetton-analytics/kafka';
import { AccessError } from '@jetton-analytics/postgres';
import { DomainError, SettingsError } from '@jetton-analytics/service/process';
import { CommanderError } from 'commander';
import { AdminError } from './admin-error.js';
import { exitCodes } from './exit-codes.js';

export interface Failure {
  readonly kind: keyof typeof exitCodes;
  readonly message: string;
  readonly details: readonly string[];
}

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);
// kafkajs's own classes are known by their names alone: it does not export them all.
const kafkaAway = /^KafkaJS(Connection|ConnectionClosed|NumberOfRetriesExceeded|RequestTimeout|BrokerNotFound)/;
/** PostgreSQL: connection exceptions, the operator's interventions, a statement that took too long. */
const postgresAway = /^(08...|57P0[1-5]|57014|53300)$/;
/** Of PostgreSQL: an undefined table or column. Of ClickHouse: no such column, an unknown identifier, an unknown table. */
const olderPostgres = new Set(['42P01', '42703']);
const olderClickHouse = new Set([16, 47, 60]);
const driverTimeout = /timeout exceeded|connection terminated|query read timeout/i;

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function isAway(error: unknown): boolean {
  if (error instanceof ClickHouseUnavailableError || error instanceof DeadlineError) return true;
  if (error instanceof DomainError) return error.code === 'unavailable' || error.code === 'deadlineExceeded';
  if (error instanceof AggregateError && error.errors.some(isAway)) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    networkCodes.has(code) ||
    postgresAway.test(code) ||
    kafkaAway.test(error.name) ||
    driverTimeout.test(error.message) ||
    isAway(error.cause)
  );
}

/** The store whose schema lacks what a statement names, where that is why it failed. */
function olderStore(error: unknown): string | undefined {
  if (error instanceof ClickHouseQueryError) return olderClickHouse.has(error.code) ? 'ClickHouse' : undefined;
  return error instanceof Error && olderPostgres.has(codeOf(error)) ? 'PostgreSQL' : undefined;
}

function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

const failure = (kind: Failure['kind'], message: string, details: readonly string[] = []): Failure => ({
  kind,
  message,
  details,
});

/** How a command ended that threw; throws nothing itself. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AdminError) return failure(error.kind, error.message, error.details);
  if (error instanceof AccessError) return failure(error.code === 'invalid' ? 'usage' : 'refused', error.message);
  if (error instanceof SettingsError) return failure('settings', 'the settings are wrong', error.message.split('\n'));
  if (error instanceof KafkaSettingsError) return failure('settings', 'the settings are wrong', [error.message]);
  if (error instanceof CommanderError && error.code === 'commander.help')
    return failure('usage', 'a command is missing');
  if (error instanceof CommanderError) {
    return failure(error.exitCode === 0 ? 'ok' : 'usage', error.message.replace(/^error: /, ''));
  }
  if (isAway(error)) return failure('unavailable', sentenceOf(error));
  const older = olderStore(error);
  if (older !== undefined) {
    const sentence = `the tables of ${older} are not up to date, run its migrations first: ${sentenceOf(error)}`;
    return failure('refused', sentence);
  }
  return failure('failed', sentenceOf(error));
}
