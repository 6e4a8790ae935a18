import { setTimeout as sleep } from 'node:timers/promises';
import { createReader } from '@jetton-analytics/clickhouse';
import { WindowsA } from '@jetton-analytics/common';
import { createAssets, nativeAsset, toUserFriendly } from '@jetton-analytics/feed';
import { formatInstant, parseInstant, type Span, type WindowA, windowSeconds } from '@jetton-analytics/figures';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { rawAddress } from '../address.js';
import { AdminError } from '../admin-error.js';
import { ExplainEnv } from '../env.js';
import { exitCodes } from '../exit-codes.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { fields } from '../table.js';
import { decimalsOf, type KnownDecimals } from './decimals.js';
import { explainFigure, type Explanation, spanText, type Verdict } from './explain-figure.js';
import { bucketLines, figureLines, legLines, priceLines } from './explanation-text.js';
import { type Metric, metrics } from './metrics.js';

interface ExplainFlags extends CommonFlags {
  readonly window: WindowA;
  readonly metric?: Metric;
  readonly at?: string;
  readonly legs?: number;
  readonly attempts: number;
}

const legsShownDefault = 20;
const legsMax = 100_000;
/** While the market moves, the ledger is ahead of the snapshot for a moment. */
const attemptsDefault = 4;
const againAfterMs = 1_500;

const verdicts: Readonly<Record<Verdict, string>> = {
  agrees: 'the published figures are what the legs say',
  differs: 'NOT what the legs say',
  outdated: 'the ledger has got other legs since: not what the published figures were made of',
  notPublished: 'nothing published to compare with',
};

function explanationJson(
  jetton: string,
  window: WindowA,
  { value, source }: KnownDecimals,
  { published, current, previous, figures, prices, buckets, legs, legCount, changedSince, verdict }: Explanation,
) {
  const { clock, calculatedAt, marker, rowVersion, reason } = published;
  return {
    jetton,
    window,
    seconds: windowSeconds[window],
    clock,
    calculatedAt: formatInstant(calculatedAt),
    current: spanText(current),
    previous: spanText(previous),
    decimals: { value, source },
    snapshot:
      marker === undefined
        ? null
        : {
            term: marker.term,
            step: marker.step,
            version: marker.marker_version.toString(),
            asOf: formatInstant(marker.as_of_s),
            inputPosition: marker.position,
            rowVersion: rowVersion ?? null,
          },
    ...(reason !== undefined && { notPublished: reason }),
    verdict,
    changedSince,
    figures,
    prices: prices.map(({ buckets: points, ...price }) => ({
      ...price,
      poolMinutes: points.flatMap(({ pool, minute, bucket }) =>
        bucket === null ? [] : [{ pool, minute: formatInstant(minute), state: bucket }],
      ),
    })),
    buckets,
    legCount,
    legs: legs.map(({ minute_s: minute, event_time_s: time, ...leg }) => ({
      eventTime: formatInstant(time),
      minute: formatInstant(minute),
      ...leg,
    })),
  };
}

const spanLine = ({ from, to }: Span): string => `${formatInstant(from)} ≤ event time < ${formatInstant(to)}`;

function lines(jetton: string, window: WindowA, decimals: KnownDecimals, explanation: Explanation, shown: number) {
  const { published, current, previous, verdict } = explanation;
  const { marker, reason } = published;
  return [
    ...fields([
      ['jetton', `${jetton} (${toUserFriendly(jetton, { bounceable: true })})`],
      ['decimals', `${decimals.value} (${decimals.source})`],
      ['current', `${spanLine(current)} (${window})`],
      ['previous', spanLine(previous)],
      [
        'snapshot',
        marker === undefined
          ? 'none'
          : `term ${marker.term}, step ${marker.step}, version ${marker.marker_version}, clock ${published.clock}`,
      ],
      ...(reason === undefined ? [] : ([['published', reason]] as const)),
      ['verdict', verdicts[verdict]],
    ]),
    '',
    ...figureLines(explanation),
    ...priceLines(explanation, shown),
    ...bucketLines(explanation, shown),
    ...legLines(explanation, formatInstant),
  ];
}

async function explain(session: Session, text: string, flags: ExplainFlags): Promise<Report> {
  const settings = loadSettings(ExplainEnv, session.env);
  const jetton = rawAddress(session, 'jetton', text);
  const assets = createAssets(settings);
  if (assets.isNative(jetton)) throw new AdminError('refused', 'the native coin is no jetton');
  const at = flags.at === undefined ? undefined : parseInstant(flags.at);
  if (flags.at !== undefined && at === undefined) {
    throw new AdminError('usage', '--at: expected an instant like 2026-01-31T12:00:00Z');
  }
  const decimals = await decimalsOf(session, assets, jetton);
  const shown = flags.legs ?? legsShownDefault;
  const reader = createReader(settings, { application: 'jetton-analytics admin', lane: 'read' });
  let attempts = 1;
  try {
    const explanation = await explainFigure(
      reader,
      {
        jetton,
        window: flags.window,
        metrics: flags.metric === undefined ? metrics : [flags.metric],
        at,
        decimals: decimals.value,
        legsMax: session.isJson ? (flags.legs ?? legsMax) : shown,
        quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
        priceMinTradeUsd: settings.PRICE_MIN_TRADE_USD,
        tradesTopic: settings.DEX_TRADES_TOPIC,
      },
      async () => {
        attempts += 1;
        if (attempts > flags.attempts) return false;
        await sleep(againAfterMs);
        return true;
      },
    );
    return {
      json: explanationJson(jetton, flags.window, decimals, explanation),
      lines: lines(jetton, flags.window, decimals, explanation, shown),
      exitCode: explanation.verdict === 'differs' ? exitCodes.finding : exitCodes.ok,
    };
  } finally {
    await reader.close();
  }
}

/** `explain`: what stands behind the figures of a jetton's window. */
export function explainCommand(run: Runner): Command {
  const command = new Command('explain')
    .description('the legs, buckets and versions behind a window’s figures, and their recomputation from the legs')
    .argument('<jetton>', 'address in any form')
    .addOption(new Option('--window <window>', 'the window').choices(WindowsA.options).makeOptionMandatory())
    .addOption(new Option('--metric <metric>', 'one figure only').choices(metrics))
    .option('--at <T>', 'at this instant (2026-01-31T12:00:00Z) instead of the newest snapshot')
    .addOption(
      new Option('--legs <n>', 'legs, points and buckets shown (default: 20; with --json 100,000)').argParser(
        wholeNumber('--legs', 0, legsMax),
      ),
    )
    .addOption(
      new Option('--attempts <n>', 'how often to look, where the ledger is ahead of the snapshot')
        .default(attemptsDefault)
        .argParser(wholeNumber('--attempts', 1, 1_000)),
    );
  return withCommonOptions(command, { changes: false }).action((jetton: string, flags: ExplainFlags) =>
    run(flags, (session) => explain(session, jetton, flags)),
  );
}
