import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseReader, createReader } from '@jetton-analytics/clickhouse';
import { createAssets, nativeAsset } from '@jetton-analytics/feed';
import { formatInstant } from '@jetton-analytics/figures';
import {
  auditableRange,
  auditBuckets,
  type AuditedBucket,
  type AuditPrices,
  drawBuckets,
  type DrawnBucket,
  isSuspect,
  seededRandom,
} from '@jetton-analytics/rollups';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { AdminError } from '../admin-error.js';
import { RebuildEnv } from '../env.js';
import { exitCodes } from '../exit-codes.js';
import { Progress } from '../progress.js';
import { readInstant } from '../read-instant.js';
import {
  type CommonFlags,
  type Report,
  type Runner,
  type Session,
  wholeNumber,
  withCommonOptions,
} from '../session.js';
import { fields, table } from '../table.js';

interface AuditFlags extends CommonFlags {
  readonly buckets: number;
  readonly seed?: string;
  readonly from?: number;
  readonly to?: number;
  readonly settle: number;
}

const drawsPerStatement = 50;
const againAfterMs = 1_000;
const shownMax = 20;
const defaults = { buckets: 200, settleSeconds: 30 };

const keyOf = (one: AuditedBucket) => `${one.grain}|${one.kind}|${one.start}|${one.jetton}|${one.pool}`;

/** Looks again at what is suspect until it is right or `settleSeconds` are over; what is wrong stays wrong. */
async function settled(
  reader: ClickHouseReader,
  suspects: readonly AuditedBucket[],
  options: { readonly prices: AuditPrices; readonly closedBefore: number },
  settleSeconds: number,
): Promise<AuditedBucket[]> {
  let left = [...suspects];
  const endMs = performance.now() + settleSeconds * 1_000;
  while (left.some(({ state }) => state !== 'wrong') && performance.now() < endMs) {
    await sleep(againAfterMs);
    const drawn: DrawnBucket[] = left.map(({ start, jetton, pool }) => ({ minute: start, jetton, pool }));
    const again = new Map((await auditBuckets(reader, drawn, options)).map((one) => [keyOf(one), one]));
    left = left.flatMap((one) => {
      const found = one.state === 'wrong' ? one : again.get(keyOf(one));
      return found !== undefined && isSuspect(found) ? [found] : [];
    });
  }
  return left;
}

async function audit(session: Session, flags: AuditFlags): Promise<Report> {
  const settings = loadSettings(RebuildEnv, session.env);
  const assets = createAssets(settings);
  const prices = {
    quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
    priceMinTradeUsd: settings.PRICE_MIN_TRADE_USD,
  };
  const seed = flags.seed ?? randomUUID();
  const reader = createReader(settings, { application: 'jetton-analytics admin', lane: 'read' });
  const progress = new Progress(session, 'audited');
  try {
    const all = await auditableRange(reader);
    if (all === undefined)
      throw new AdminError('refused', 'there is nothing to audit: no closed minute, or no snapshot yet');
    const from = Math.max(flags.from ?? 0, all.from);
    const to = Math.min(flags.to ?? all.to, all.to);
    if (from >= to) {
      const span = `${formatInstant(all.from)} to ${formatInstant(all.to)}`;
      throw new AdminError('usage', `--from, --to: nothing of what can be audited, ${span}, lies between them`);
    }
    const random = seededRandom(seed);
    const options = { prices, closedBefore: to };
    const counts = { minute: 0, hour: 0, day: 0 };
    const suspects: AuditedBucket[] = [];
    const seen = new Set<string>();
    for (let done = 0; done < flags.buckets; done += drawsPerStatement) {
      const count = Math.min(drawsPerStatement, flags.buckets - done);
      const drawn = (await drawBuckets(reader, { from, to, count }, random)).filter(({ minute, jetton, pool }) => {
        const key = `${minute}|${jetton}|${pool}`;
        return !seen.has(key) && seen.add(key);
      });
      const audited = await auditBuckets(reader, drawn, options);
      for (const one of audited) counts[one.grain] += 1;
      suspects.push(...audited.filter(isSuspect));
      progress.step(done + count, flags.buckets);
    }
    const mismatches = await settled(reader, suspects, options, flags.settle);
    progress.end();
    const span = { from: formatInstant(from), to: formatInstant(to) };
    const rows = mismatches
      .slice(0, shownMax)
      .map((one) => [one.grain, formatInstant(one.start), one.jetton, one.pool || '-', one.state]);
    return {
      json: {
        seed,
        ...span,
        draws: flags.buckets,
        audited: counts,
        mismatches: mismatches.map((one) => ({ ...one, start: formatInstant(one.start) })),
      },
      lines: [
        ...fields([
          ['seed', seed],
          ['between', `${span.from} and ${span.to}`],
          ['audited', `${counts.minute} minutes, ${counts.hour} hours, ${counts.day} days`],
          ['mismatches', String(mismatches.length)],
        ]),
        ...(rows.length === 0 ? [] : ['', ...table(['grain', 'start', 'jetton', 'pool', 'state'], rows)]),
      ],
      exitCode: mismatches.length > 0 ? exitCodes.failed : exitCodes.ok,
    };
  } finally {
    progress.end();
    await reader.close();
  }
}

/** `audit`: recomputes random closed buckets from the ledger and compares. */
export function auditCommand(run: Runner): Command {
  const command = new Command('audit')
    .description(
      'recompute random closed buckets from the ledger and compare; exit code 1 where one is not what it says',
    )
    .addOption(
      new Option('--buckets <n>', 'how many are drawn, each with its hour and day')
        .default(defaults.buckets)
        .argParser(wholeNumber('--buckets', 1, 1_000_000)),
    )
    .option('--seed <text>', 'the same seed draws the same buckets of the same ledger (default: a new one, printed)')
    .addOption(new Option('--from <instant>', 'not before').argParser(readInstant('--from')))
    .addOption(new Option('--to <instant>', 'before').argParser(readInstant('--to')))
    .addOption(
      new Option('--settle <seconds>', 'how long a bucket that is behind may take to come up')
        .default(defaults.settleSeconds)
        .argParser(wholeNumber('--settle', 0, 3_600)),
    );
  return withCommonOptions(command, { changes: false }).action((flags: AuditFlags) =>
    run(flags, (session) => audit(session, flags)),
  );
}
