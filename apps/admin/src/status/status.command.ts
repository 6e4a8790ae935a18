import { createReader } from '@jetton-analytics/clickhouse';
import { parseInstant } from '@jetton-analytics/figures';
import { resolveConnections } from '@jetton-analytics/kafka';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command } from 'commander';
import { AdminError } from '../admin-error.js';
import { feedTopicsOf, groupIdOf, StatusEnv } from '../env.js';
import { exitCodes } from '../exit-codes.js';
import { failureOf } from '../failure.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { fields, table } from '../table.js';
import { brokerStatus, type BrokerStatus } from './broker-status.js';
import { gatewayStatus } from './gateway-status.js';
import { type StoreStatus, storeStatus } from './store-status.js';

interface StatusFlags extends CommonFlags {
  readonly url?: string;
}

function ageOf(instant: string, nowMs: number): string {
  const seconds = parseInstant(instant);
  return seconds === undefined ? '?' : `${Math.max(0, Math.floor(nowMs / 1_000) - seconds)} s`;
}

function statusLines(status: StoreStatus & { readonly jettons?: number; readonly markets?: number }, nowMs: number) {
  const inputs = status.inputs.map((input) => [
    input.topic,
    input.state,
    input.newestEventTime ?? '-',
    input.lagMessages,
    String(input.lagSeconds),
    String(input.gaps.length),
  ]);
  const windows = Object.entries(status.windows).map(([name, window]) => [
    name,
    window.calculatedAt,
    ageOf(window.calculatedAt, nowMs),
    window.inputPosition,
    window.snapshot,
  ]);
  const counts =
    status.jettons === undefined ? [] : ([['jettons', `${status.jettons} in ${status.markets} markets`]] as const);
  return [
    ...fields([['clock', status.clock], ['as of', status.asOf ?? '(nothing calculated yet)'], ...counts]),
    '',
    ...table(['input', 'state', 'newest event', 'lag (messages)', 'lag (s)', 'gaps'], inputs),
    '',
    ...table(['window', 'calculated at', 'age', 'input position', 'snapshot'], windows),
  ];
}

function brokerLines({ groups, topics }: BrokerStatus): string[] {
  const rows = topics.map((topic) => [topic.topic, topic.lag ?? 'no such topic', topic.deadLetters ?? 'no such topic']);
  return [
    '',
    ...fields(groups.map(({ groupId, state, members }) => ['group', `${groupId}: ${state}, ${members} members`])),
    '',
    ...table(['topic', 'not consumed', 'dead letters'], rows),
  ];
}

const isLive = ({ inputs }: StoreStatus) => inputs.length > 0 && inputs.every(({ state }) => state === 'live');

async function ofGateway(session: Session, url: string): Promise<Report> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new AdminError('usage', '--url: expected http(s)://host:port');
  const status = await gatewayStatus(url);
  const exitCode = isLive(status) ? exitCodes.ok : exitCodes.finding;
  return { json: status, lines: statusLines(status, session.clock.now()), exitCode };
}

const away = (name: string, reason: unknown): string => `${name}: ${failureOf(reason).message}`;

/** Both are asked even where one is away: that is what the command is called for. */
async function ofStores(session: Session): Promise<Report> {
  const settings = loadSettings(StatusEnv, session.env);
  const connections = resolveConnections(settings);
  const topics = feedTopicsOf(settings);
  const nowMs = session.clock.now();
  const reader = createReader(settings, { application: 'jetton-analytics admin', lane: 'read' });
  const [store, broker] = await Promise.allSettled([
    storeStatus(reader, nowMs),
    brokerStatus(connections, (topic) => groupIdOf(settings, topic), topics),
  ]);
  await reader.close();
  const rejected = [store, broker].find((one) => one.status === 'rejected');
  const stored = store.status === 'fulfilled' ? store.value : undefined;
  const live = stored !== undefined && isLive(stored);
  return {
    json: {
      clickhouse: stored ?? { error: away('ClickHouse', store.status === 'rejected' ? store.reason : '') },
      kafka: broker.status === 'fulfilled' ? broker.value : { error: away('Kafka', broker.reason) },
    },
    lines: [
      ...(store.status === 'fulfilled' ? statusLines(store.value, nowMs) : [away('ClickHouse', store.reason)]),
      ...(broker.status === 'fulfilled' ? brokerLines(broker.value) : ['', away('Kafka', broker.reason)]),
    ],
    exitCode:
      rejected !== undefined ? exitCodes[failureOf(rejected.reason).kind] : live ? exitCodes.ok : exitCodes.finding,
  };
}

/** `status`: how far everything is, from a gateway or straight from the stores. */
export function statusCommand(run: Runner): Command {
  const status = new Command('status')
    .description('inputs, lags and windows: of a gateway, or straight from the stores')
    .option('--url <url>', 'of a gateway; without it the stores are asked');
  return withCommonOptions(status, { changes: false }).action((flags: StatusFlags) =>
    run(flags, (session) => (flags.url === undefined ? ofStores(session) : ofGateway(session, flags.url))),
  );
}
