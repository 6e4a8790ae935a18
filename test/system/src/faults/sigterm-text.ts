import { table } from './report-text.js';
import { graceMs, type SigtermReport } from './run-sigterms.js';

/** Whether every process ended in time and well, no request failed, and nothing came again but the batch in hand. */
export const areClean = ({ aggregators, deliveries, gateways, findings }: SigtermReport): boolean =>
  aggregators.badTerminations.length === 0 &&
  aggregators.crashes.length === 0 &&
  aggregators.slowestTerminationMs < graceMs &&
  deliveries.beyondBatchInHand === 0 &&
  gateways.badTerminations.length === 0 &&
  gateways.failed === 0 &&
  findings.count === 0;

/** A run as a page of docs/reports. */
export function sigtermText(report: SigtermReport, { command, date }: { command: string; date: string }): string {
  const { options, aggregators, deliveries, gateways, findings } = report;
  const ends = [...aggregators.badTerminations, ...aggregators.crashes, ...gateways.badTerminations];
  const sections = [
    `# SIGTERM under load, ${date}`,
    `Command: \`${command}\`, seed ${options.seed}. Result: **${areClean(report) ? 'as promised' : 'not as promised'}**.`,
    table([
      ['seconds', Math.round(report.seconds)],
      ['records in the log', report.records],
      ['clean ends of aggregators after SIGTERM', aggregators.terminations],
      ['the slowest; grace', `${Math.round(aggregators.slowestTerminationMs)} ms; ${graceMs} ms`],
      ['other ends', aggregators.badTerminations.length + aggregators.crashes.length],
      ['batches taken, records of them that came again', `${deliveries.batches}, ${deliveries.redelivered}`],
      ['records that came again though their batch had been committed', deliveries.beyondBatchInHand],
      ['minutes compared with the oracle', Object.values(findings.rows).reduce((sum, rows) => sum + rows, 0)],
      ['differences', findings.count],
      ['clean ends of gateways after SIGTERM', gateways.terminations - gateways.badTerminations.length],
      ['the slowest, with 1.5 s of draining', `${Math.round(gateways.slowestTerminationMs)} ms`],
      ['requests answered, failed', `${gateways.answered}, ${gateways.failed}`],
    ]),
    [...ends, ...gateways.examples, ...findings.examples].map((text) => `- ${text}`).join('\n'),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}
