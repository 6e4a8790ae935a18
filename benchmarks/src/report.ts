import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './bench-stack.js';

/** Prints the rows (the first is the head) as a table and writes them as JSON under benchmarks/reports. */
export async function writeReport(name: string, options: object, rows: readonly (readonly string[])[]): Promise<void> {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const folder = join(repositoryRoot, 'benchmarks', 'reports');
  await mkdir(folder, { recursive: true });
  const report = {
    name,
    at: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    options,
    rows,
  };
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
}
