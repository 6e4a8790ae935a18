import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Armament } from './aggregators.js';

/** A mistake that the suite must find, as a patch of a copy of the build. */
export interface BrokenVariant {
  readonly name: string;
  /** What is wrong with it. */
  readonly mistake: string;
  patch(root: string): void;
  /** What brings it to light soonest; by default the armaments of every run. */
  readonly armament?: Armament;
}

/** Replaces each text in a file; throws where one is not there, since then nothing would be proved. */
function replaceIn(file: string, replacements: readonly (readonly [from: string, to: string])[]): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} has changed: there is no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, () => to);
  }
  writeFileSync(file, text);
}

const minuteRollups = (root: string) => join(root, 'packages/rollups/dist/minute-rollups.command.js');

function migration(root: string, number: string): string {
  const folder = join(root, 'packages/clickhouse/migrations');
  const name = readdirSync(folder).find((one) => one.startsWith(number));
  if (name === undefined) throw new Error(`no migration ${number}`);
  return join(folder, name);
}

const bySide = (side: string) => `uniqExactStateIf(trader, is_trade = 1 AND trader != '' AND side = '${side}')`;

const rowFigures = (isJetton: boolean) => {
  const sums = ['volume_usd', 'volume_ton'].flatMap((volume) =>
    ['buy', 'sell'].map(
      (side) => `sumIf(ifNull(${volume}, 0), is_trade = 1 AND side = '${side}') AS ${volume}_${side}`,
    ),
  );
  return [
    `countIf(is_trade = 1 AND side = 'buy') AS transactions_buy`,
    `countIf(is_trade = 1 AND side = 'sell') AS transactions_sell`,
    ...sums,
    `uniqExactStateIf(trader, is_trade = 1 AND trader != '') AS traders`,
    ...(isJetton ? [`${bySide('buy')} AS traders_buy`, `${bySide('sell')} AS traders_sell`] : []),
  ].join(', ');
};

const wallClock = 'toUInt256({nowMs: UInt64}) AS bucket_version';

/** The mistakes that docs/adr/0002-ledger-and-versions.md rules out. */
export const brokenVariants: readonly BrokenVariant[] = [
  {
    name: 'commit-before-write',
    mistake: 'the offset is committed before the batch is in the ledger',
    patch: (root) =>
      replaceIn(join(root, 'packages/kafka/dist/batch-loop.js'), [
        [
          'if (!await isDone(slice, payload, context)) return;',
          `await commitOffset(payload, (BigInt(lastOffset) + 1n).toString(), generation, membership, options);
            if (!await isDone(slice, payload, context)) return;`,
        ],
      ]),
    armament: { step: 'before ledger insert', action: 'SIGKILL', after: 2 },
  },
  {
    name: 'wall-clock-version',
    mistake: 'a bucket has the writer’s clock for a version, not the sum of its rows’',
    patch: (root) => {
      replaceIn(minuteRollups(root), [
        [['sum(version) + ', '$', '{epoch} AS bucket_version'].join(''), wallClock],
        ['toMinute: z.int()\n', 'toMinute: z.int(),\n    nowMs: z.int()\n'],
      ]);
      replaceIn(join(root, 'apps/aggregator/dist/trades/trade-writer.js'), [
        ['const keys = {', 'const keys = {\n            nowMs: Date.now(),'],
      ]);
    },
  },
  {
    name: 'deltas',
    mistake: 'what arrives is added to the minutes of jettons, not recomputed',
    patch: (root) => {
      const file = migration(root, '0002');
      const text = readFileSync(file, 'utf8');
      const [first = '', ...rest] = text.split('ENGINE = ReplacingMergeTree(version)');
      const view = `CREATE MATERIALIZED VIEW jetton_minutes_added TO jetton_trades_per_minute_v1 AS
        SELECT minute, jetton, ${rowFigures(true)}, sum(l.version) AS version
        FROM jetton_legs_v1 AS l GROUP BY minute, jetton;\n`;
      writeFileSync(
        file,
        `${[`${first}ENGINE = SummingMergeTree`, rest.join('ENGINE = ReplacingMergeTree(version)')].join('')}\n${view}`,
      );
      replaceIn(minuteRollups(root), [
        [
          ['FROM jetton_legs_v1 FINAL\n        WHERE $', '{where}'].join(''),
          ['FROM jetton_legs_v1 FINAL\n        WHERE 0 AND $', '{where}'].join(''),
        ],
      ]);
    },
  },
  {
    name: 'without-final',
    mistake: 'the ledger is read without FINAL: a row and its repeats count until they are merged',
    patch: (root) => replaceIn(minuteRollups(root), [['FROM jetton_legs_v1 FINAL', 'FROM jetton_legs_v1']]),
  },
  {
    name: 'engine-is-deleted',
    mistake: 'retractions are left to the engine’s is_deleted: their buckets keep the old totals',
    patch: (root) => {
      const file = migration(root, '0001');
      const text = readFileSync(file, 'utf8');
      const patched = text.replace(
        'ENGINE = ReplacingMergeTree(version)',
        'ENGINE = ReplacingMergeTree(version, deleted)',
      );
      if (patched === text) throw new Error(`${file} has changed`);
      writeFileSync(file, patched);
    },
  },
];
