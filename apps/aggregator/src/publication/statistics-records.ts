import type { RowBinaryReader } from '@jetton-analytics/clickhouse';
import {
  type JettonStatisticsSnapshot,
  type JettonWindowFigures,
  statisticsKey,
  WindowsA,
} from '@jetton-analytics/common';
import { decimalText, formatInstant, type Step, windows } from '@jetton-analytics/figures';
import type { ProducedRecord } from '@jetton-analytics/kafka';
import { recordOf } from './bucket-records.js';

const volumeDigits = 18;
const secondsOf = new Map<string, number>(windows.map(({ name, seconds }) => [name, seconds]));
const longestOf = (step: Step) => Math.max(...windows.filter((one) => one.step === step).map(({ seconds }) => seconds));

/** What the rows of one step are published with. */
export interface StatisticsContext {
  readonly step: Step;
  /** T of the newest published snapshot, Unix seconds. */
  readonly asOf: number;
  readonly nowMs: number;
  readonly partitions: number;
}

/** The rows of statisticsToPublish as records, and the last jetton among them. */
export function statisticsRecords(
  rows: RowBinaryReader,
  context: StatisticsContext,
): { readonly records: ProducedRecord[]; readonly lastJetton: string } {
  const records: ProducedRecord[] = [];
  let lastJetton = '';
  while (!rows.isDone) {
    lastJetton = rows.ascii();
    const value = snapshotOf(lastJetton, rows, context);
    const key = statisticsKey(lastJetton, context.step);
    records.push(recordOf('statistics', key, lastJetton, value, JSON.stringify(value), context.partitions));
  }
  return { records, lastJetton };
}

function snapshotOf(jetton: string, rows: RowBinaryReader, context: StatisticsContext): JettonStatisticsSnapshot {
  const { step, asOf, nowMs } = context;
  const version = rows.uint128();
  const isKnown = rows.uint8() === 1;
  // A snapshot's version begins with its C.
  const calculatedAt = Number(version >> 64n);
  return {
    jetton,
    step,
    calculatedAt: formatInstant(calculatedAt),
    windowStart: formatInstant(calculatedAt - longestOf(step)),
    windowEnd: formatInstant(calculatedAt),
    revision: version.toString(),
    watermark: formatInstant(asOf),
    computedAt: new Date(nowMs).toISOString(),
    isFinal: false,
    isKnown,
    windows: Array.from({ length: rows.length() }, () => windowOf(rows, calculatedAt)),
  };
}

const both = <T>(read: () => T) => ({ current: read(), previous: read() });

function windowOf(rows: RowBinaryReader, calculatedAt: number): JettonWindowFigures {
  const count = () => rows.uint64().toString();
  const volume = () => decimalText(rows.int256(), volumeDigits);
  const price = () => ({ value: rows.ascii(), decimals: rows.uint8() });
  const window = WindowsA.parse(rows.ascii());
  return {
    window,
    windowStart: formatInstant(calculatedAt - (secondsOf.get(window) ?? 0)),
    windowEnd: formatInstant(calculatedAt),
    transactionsBuy: both(count),
    transactionsSell: both(count),
    traders: both(count),
    tradersBuy: both(count),
    tradersSell: both(count),
    volumeUsdBuy: both(volume),
    volumeUsdSell: both(volume),
    volumeTonBuy: both(volume),
    volumeTonSell: both(volume),
    priceTon: both(price),
    priceUsd: both(price),
  };
}
