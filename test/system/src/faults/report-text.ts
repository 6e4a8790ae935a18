import { residentBytesMax } from './fault-options.js';
import type { FaultReport } from './run-faults.js';

/** Two columns in Markdown. */
export const table = (rows: readonly (readonly [string, string | number])[]) =>
  ['| what | figure |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join('\n');
const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
const listed = (counts: Iterable<readonly [string, number]>) =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
const mib = (bytes: number) => Math.round(bytes / 2 ** 20);

const caughtUpMsMax = 10_000;

/**
 * Whether nothing is lost, doubled or different, everybody who asked was answered, no aggregator took more memory than it
 * may, and the group was soon caught up.
 */
export const isClean = ({ findings, produced, watch, group, caughtUpMs }: FaultReport): boolean =>
  findings.count === 0 &&
  produced.inLog >= produced.acknowledged &&
  (watch?.failed ?? 0) === 0 &&
  group.residentBytesMax <= residentBytesMax &&
  caughtUpMs <= caughtUpMsMax;

function watchText({ watch }: FaultReport): string {
  if (watch === undefined) return '';
  const { answered, answeredDuring, failed, examples, slowestMs, greatestLagSeconds } = watch;
  return [
    '## Query apps, asked all the time',
    `${answered} answers with 200 and their age, ${failed} others; the slowest took ${Math.round(slowestMs)} ms, the greatest age told was ${greatestLagSeconds} s.`,
    `By what was the matter: ${listed(answeredDuring)}.`,
    examples.map((text) => `- ${text}`).join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A run as a page of docs/reports. */
export function reportText(report: FaultReport, { command, date }: { command: string; date: string }): string {
  const { options, group, faults, produced, findings, letters, topics } = report;
  const crashes = Map.groupBy(group.crashes, (text) => text);
  const result = findings.count === 0 ? 'no difference' : `${findings.count} differences`;
  const unanswered = (report.watch?.failed ?? 0) === 0 ? '' : `, ${report.watch?.failed} questions not answered`;
  const sections = [
    `# Fault suite, ${date}`,
    `Command: \`${command}\`, seed ${options.seed}. Result: **${result}${unanswered}**.`,
    table([
      ['seconds, of them under faults', `${Math.round(report.seconds)}, ${Math.round(report.faultSeconds)}`],
      ['records acknowledged / in the log', `${produced.acknowledged} / ${produced.inLog}`],
      ['of them accepted, skipped, poison', `${produced.accepted}, ${produced.skipped}, ${produced.bad}`],
      ['aggregators, partitions', `${options.instances}, ${options.partitions}`],
      ['SIGKILL', total(group.kills)],
      ['SIGSTOP for longer than the session, then SIGCONT', total(group.stalls)],
      ['instances that came or went by SIGTERM', faults.rebalances],
      ['greatest generation of the group', group.generations],
      ['store outages', total(faults.outages)],
      ['offsets set back to the earliest', faults.replays],
      ['stretches rebuilt meanwhile; tries that ended otherwise', `${faults.rebuilds}; ${faults.failedRebuilds}`],
      ['clean ends after SIGTERM, slowest', `${group.terminations}, ${Math.round(group.slowestTerminationMs)} ms`],
      ['other ends after SIGTERM', group.badTerminations.length],
      ['ends by themselves (started again)', group.crashes.length],
      ['greatest resident memory of an aggregator', `${mib(group.residentBytesMax)} of ${mib(residentBytesMax)} MiB`],
      [
        'caught up after the last restart of all',
        `${(report.caughtUpMs / 1_000).toFixed(1)} of ${caughtUpMsMax / 1_000} s`,
      ],
      ['dead letters, of them copies of the same place', `${letters.letters}, ${letters.copies}`],
      ['clocks an hour apart', group.clocks],
      ['records written to the rollup topics, left by the log cleaner', `${topics.written}, ${topics.records}`],
      ['kills of the subscribers that started late', report.subscriberKills ?? 'none started'],
      ['keys whose last record is older than their newest', topics.lastIsOlder],
    ]),
    '## Compared, every field',
    table(Object.entries(findings.rows)),
    '## Differences',
    findings.count === 0 ? 'None.' : table(Object.entries(findings.differences)),
    findings.examples
      .slice(0, 20)
      .map((line) => `- ${line}`)
      .join('\n'),
    watchText(report),
    '## Faults',
    `Kills by step: ${listed(group.kills)}.`,
    `Stalls by step: ${listed(group.stalls)}.`,
    `Outages: ${listed(faults.outages)}.`,
    crashes.size === 0
      ? ''
      : `Ends by themselves:\n\n${[...crashes].map(([text, all]) => `- ${all.length} × ${text}`).join('\n')}`,
    group.badTerminations.map((text) => `- after SIGTERM: ${text}`).join('\n'),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}
