import { parseDay } from './days.js';
import { type Fiat, fiats, isFiat } from './fiats.js';
import { parseRate, RatesError } from './rate-text.js';
import type { DayRate } from './rates.js';

/** Rates read from a file or an answer. */
export interface ReadRates {
  readonly rows: readonly DayRate[];
  /** Fiats that it says nothing of on any day; `usd` needs no saying. */
  readonly absent: readonly Fiat[];
}

interface Column {
  readonly index: number;
  readonly currency: Fiat;
}

const charsMax = 16 * 1024 * 1024;

const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim());

function columnsOf(header: readonly string[]): { dayColumn: number; columns: Column[] } {
  const names = header.map((name) => name.toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new RatesError(`line 1: column ${JSON.stringify(repeated)} stands there twice`);
  const dayColumn = names.indexOf('date');
  if (dayColumn < 0) throw new RatesError('line 1: there is no column "date"');
  const columns = names.flatMap((name, index) => (isFiat(name) ? [{ index, currency: name }] : []));
  if (columns.length === 0) throw new RatesError('line 1: no column is named by a known currency');
  return { dayColumn, columns };
}

/** `usd` is the base: it must be 1 where it stands and makes no row. */
export function rowOf(day: string, currency: Fiat, text: string, what: string): DayRate[] {
  const rate = parseRate(text, what);
  if (currency !== 'usd') return [{ day, currency, rate }];
  if (rate.value !== 1n || rate.decimals !== 0) throw new RatesError(`${what}: the base must be usd, so usd must be 1`);
  return [];
}

/** Which fiats no row is of. */
export function absentFrom(rows: readonly DayRate[]): Fiat[] {
  const present = new Set<Fiat>(rows.map(({ currency }) => currency));
  return fiats.filter((fiat) => fiat !== 'usd' && !present.has(fiat));
}

/**
 * Daily rates of a CSV: a header with `date` and columns named by currencies, a day as `YYYY-MM-DD` per line, units of
 * the currency for one usd; an empty cell is an unknown rate, other columns (`ton` too) are ignored. Throws RatesError
 * that names line and currency for anything else, also for a day that comes twice; then nothing of it counts.
 */
export function parseRatesCsv(text: string): ReadRates {
  if (text.length > charsMax) throw new RatesError(`more than ${charsMax} characters`);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const [header = '', ...rest] = lines;
  const { dayColumn, columns } = columnsOf(cellsOf(header));
  const width = cellsOf(header).length;
  const lineOfDay = new Map<string, number>();
  const rows = rest.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const at = `line ${index + 2}`;
    const cells = cellsOf(line);
    if (cells.length !== width) throw new RatesError(`${at}: ${cells.length} cells where the header has ${width}`);
    const day = parseDay(cells[dayColumn] ?? '', `${at}, date`);
    const before = lineOfDay.get(day);
    if (before !== undefined) throw new RatesError(`${at}: ${day} is on line ${before} too`);
    lineOfDay.set(day, index + 2);
    return columns.flatMap(({ index: column, currency }) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : rowOf(day, currency, cell, `${at}, ${currency}`);
    });
  });
  if (rows.length === 0) throw new RatesError('there is no rate in it');
  return { rows, absent: absentFrom(rows) };
}
