import { basename } from 'node:path';
import boxen from 'boxen';
import type { FirstQuery } from './first-query.js';
import type { StackSource } from './options.js';

export interface SummaryFacts {
  readonly source: StackSource;
  readonly clock: string;
  readonly apiUrl: string;
  readonly kafka: string;
  readonly clickhouse: string;
  readonly postgres: string;
  /** Of our own PostgreSQL: the file that holds the password of its user postgres. */
  readonly passwordFile?: string;
  readonly dataDir: string;
  readonly asOf: string | undefined;
  readonly caughtUp: boolean;
  readonly first: FirstQuery | undefined;
  /** A key of a paid plan. */
  readonly demoKey: string | undefined;
  /** What was asked with it. */
  readonly paid: FirstQuery | undefined;
}

function sourceLine(source: StackSource): string {
  if (source.kind === 'kafka') return 'the feed at SOURCE_KAFKA_BROKERS';
  if (source.kind === 'replay') return `replay of ${basename(source.file)}${source.shiftToNow ? ', moved to now' : ''}`;
  return 'a SIMULATED market: its jettons and trades are made up';
}

const passwordRow = (file: string): [string, string] => ['', `user postgres, password in ${file}`];
const demoKeyRow = (key: string): [string, string] => ['Demo key', key];

function paidLines({ demoKey, paid }: SummaryFacts): string[] {
  if (demoKey === undefined || paid === undefined) return [];
  return [`  curl -s -H 'Authorization: Bearer ${demoKey}' '${paid.url}'`, `  (${paid.answer})`];
}

/** What is running and what to try first, in a box. The lines to copy are beside it: a box would break them. */
export function summary(facts: SummaryFacts): string {
  const rows: [string, string][] = [
    ['Trades', sourceLine(facts.source)],
    ['API', facts.apiUrl],
    ['Status', `${facts.apiUrl}/v1/status`],
    ['Kafka', facts.kafka],
    ['ClickHouse', facts.clickhouse],
    ['PostgreSQL', facts.postgres],
    ...(facts.passwordFile === undefined ? [] : [passwordRow(facts.passwordFile)]),
    ['Data', facts.dataDir],
    ...(facts.demoKey === undefined ? [] : [demoKeyRow(facts.demoKey)]),
    [
      'Figures',
      `as of ${facts.asOf ?? '(none yet)'}, clock ${facts.clock}${facts.caughtUp ? '' : ', still catching up'}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const box = boxen(rows.map(([name, value]) => `${name.padEnd(width)}${value}`).join('\n'), {
    title: 'jetton-analytics',
    padding: { left: 1, right: 1, top: 0, bottom: 0 },
    borderStyle: 'round',
  });
  const { first } = facts;
  const query = first === undefined ? `${facts.apiUrl}/v1/status` : first.url;
  const answer = first === undefined ? [] : [`  (${first.answer})`];
  return [
    box,
    '',
    'Try:',
    `  curl -s '${query}'`,
    ...answer,
    ...paidLines(facts),
    '',
    'Ctrl-C stops everything; the next start goes on from here.',
  ].join('\n');
}
