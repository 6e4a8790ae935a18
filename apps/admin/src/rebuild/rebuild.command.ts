import { createWriter } from '@jetton-analytics/clickhouse';
import { createAssets, nativeAsset } from '@jetton-analytics/feed';
import { formatInstant } from '@jetton-analytics/figures';
import { planRebuild, rebuild, type Rebuilt, type RebuildPlan } from '@jetton-analytics/rollups';
import { loadSettings } from '@jetton-analytics/service/process';
import { Command, Option } from 'commander';
import { rawAddress } from '../address.js';
import { AdminError } from '../admin-error.js';
import { RebuildEnv } from '../env.js';
import { journaling } from '../journal/journaling.js';
import { Progress } from '../progress.js';
import { readInstant } from '../read-instant.js';
import { type CommonFlags, type Report, type Runner, type Session, withCommonOptions } from '../session.js';
import { fields } from '../table.js';

interface RebuildFlags extends CommonFlags {
  readonly from: number;
  readonly to: number;
  readonly jetton?: string;
}

const minuteSeconds = 60;

const resultOf = ({ hours, legs, epoch, coarse }: RebuildPlan & Partial<Rebuilt>) => ({
  hours: hours.length,
  legs: legs.toString(),
  epoch: epoch?.toString() ?? null,
  hoursAndDaysWritten: coarse ?? null,
});

async function run(session: Session, flags: RebuildFlags): Promise<Report> {
  const settings = loadSettings(RebuildEnv, session.env);
  const jetton = flags.jetton === undefined ? undefined : rawAddress(session, '--jetton', flags.jetton);
  const range = {
    from: flags.from - (flags.from % minuteSeconds),
    to: Math.ceil(flags.to / minuteSeconds) * minuteSeconds,
    ...(jetton !== undefined && { jetton }),
  };
  if (range.from >= range.to) throw new AdminError('usage', '--to: must be later than --from');
  const by = session.actor();
  const assets = createAssets(settings);
  const asked = { from: formatInstant(range.from), to: formatInstant(range.to), jetton: jetton ?? null };
  const store = createWriter(settings, { application: 'jetton-analytics admin', lane: 'background' });
  const progress = new Progress(session, 'hours recomputed');
  try {
    const result = await journaling(session, 'rebuild', asked, async () => {
      if (session.dryRun) return resultOf(await planRebuild(store, range));
      const rebuilt = await rebuild(store, range, {
        quoteAssets: [nativeAsset, ...assets.stables, ...assets.lsds],
        priceMinTradeUsd: settings.PRICE_MIN_TRADE_USD,
        by,
        reason: `rebuild of ${asked.from} to ${asked.to}, ${jetton ?? 'all jettons'}`,
        nowS: Math.floor(session.clock.now() / 1_000),
        onProgress: (done, of) => progress.step(done, of),
      });
      return resultOf(rebuilt);
    });
    progress.end();
    const { hours, legs, epoch, hoursAndDaysWritten } = result;
    const { dryRun } = session;
    return {
      json: { ...asked, ...result, dryRun, by },
      lines: fields([
        [dryRun ? 'would rebuild' : 'rebuilt', `${asked.from} to ${asked.to}, ${jetton ?? 'all jettons'}`],
        ['from', `${legs} rows of the ledger in ${hours} hours`],
        ...(epoch === null ? [] : ([['epoch', epoch]] as const)),
        ...(hoursAndDaysWritten === null ? [] : ([['hours and days', `${hoursAndDaysWritten} written anew`]] as const)),
        ['by', by],
      ]),
    };
  } finally {
    progress.end();
    await store.close();
  }
}

/** `rebuild`: recomputes buckets from the ledger under a new epoch, while aggregators go on. */
export function rebuildCommand(runner: Runner): Command {
  const command = new Command('rebuild')
    .description('recompute the buckets of a time range from the ledger, while the aggregators go on')
    .addOption(
      new Option('--from <instant>', 'the first minute').argParser(readInstant('--from')).makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <instant>', 'the first minute after it').argParser(readInstant('--to')).makeOptionMandatory(),
    )
    .option('--jetton <address>', 'only the buckets of one jetton');
  return withCommonOptions(command, { changes: true }).action((flags: RebuildFlags) =>
    runner(flags, (session) => run(session, flags)),
  );
}
