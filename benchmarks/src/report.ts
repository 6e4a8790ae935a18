import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './bench-stack.js';

/** Ticks of all cores since the machine began, and those that its host gave to others meanwhile (Linux). */
function ticks(): { readonly all: number; readonly stolen: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  const columns = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: columns.reduce((sum, value) => sum + value, 0), stolen: columns[7] ?? 0 };
}

const begun = ticks();

/** What share of the processors' time the host has taken away since the benchmark began: wall times are longer by it. */
function stolenShare(): number {
  const now = ticks();
  return (now.stolen - begun.stolen) / Math.max(1, now.all - begun.all);
}

/** Prints the rows (the first is the head) as a table and writes them as JSON under benchmarks/reports. */
export async function writeReport(name: string, options: object, rows: readonly (readonly string[])[]): Promise<void> {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const stolen = stolenShare();
  console.log(`the host took ${(stolen * 100).toFixed(1)} % of the processors' time away`);
  const folder = join(repositoryRoot, 'benchmarks', 'reports');
  await mkdir(folder, { recursive: true });
  const report = {
    name,
    at: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    stolen: Number(stolen.toFixed(3)),
    options,
    rows,
  };
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
}
