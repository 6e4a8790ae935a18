const secondsPerDay = 86_400;
const greatest = 253_402_300_799; // 9999-12-31T23:59:59Z: beyond it the text would be wider than its hole
const least = -62_167_219_200; // 0000-01-01T00:00:00Z

/** Characters (and bytes) of every instant written by {@link formatInstant}. */
export const instantLength = 20;

const pairs = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
const pair = (value: number): string => pairs[value] ?? '00';

// Consecutive calls nearly always ask for the same day.
let lastDay = Number.NaN;
let lastDate = '';

/**
 * Year, month and day of a day number since 1970-01-01, in the proleptic Gregorian calendar, counted in eras of 400
 * years that begin on 1 March, so that the leap day is the last of its year.
 */
function dateOf(day: number): string {
  const shifted = day + 719_468; // days from 0000-03-01
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${pair(month)}-${pair(dayOfMonth)}`;
}

/**
 * Unix seconds as `YYYY-MM-DDTHH:MM:SSZ`, always 20 characters.
 * Throws RangeError for anything that is no whole number or lies outside the years 0000 to 9999.
 */
export function formatInstant(seconds: number): string {
  if (!Number.isInteger(seconds) || seconds < least || seconds > greatest) {
    throw new RangeError(`not an instant in whole Unix seconds: ${seconds}`);
  }
  const day = Math.floor(seconds / secondsPerDay);
  if (day !== lastDay) {
    lastDate = dateOf(day);
    lastDay = day;
  }
  const rest = seconds - day * secondsPerDay;
  const hour = Math.floor(rest / 3_600);
  const minute = Math.floor(rest / 60) % 60;
  return `${lastDate}T${pair(hour)}:${pair(minute)}:${pair(rest % 60)}Z`;
}

/** Reads `YYYY-MM-DDTHH:MM:SSZ` to Unix seconds; undefined for any other text or for a day that does not exist. */
export function parseInstant(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  const seconds = milliseconds / 1_000;
  // Date.parse rolls 30 February over to March; the text must be the one we would write.
  return formatInstant(seconds) === text ? seconds : undefined;
}
