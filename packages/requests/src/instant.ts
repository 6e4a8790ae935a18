const unixSeconds = /^\d{1,11}$/;
const iso = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;
const secondsMax = 253_402_300_799; // 9999-12-31T23:59:59Z

/**
 * Unix seconds of an instant written as ISO 8601 with an offset, or as Unix seconds; fractions are cut off. Undefined
 * where it is neither, or not of the years 1970 to 9999 (of the seconds: 1970 to 5138).
 */
export function readInstant(text: string): number | undefined {
  if (unixSeconds.test(text)) return within(Number(text));
  // A plus of an offset that was not percent-encoded has become a space.
  const [, date, time, offset] = iso.exec(text.replace(/ (?=\d{2}:\d{2}$)/, '+')) ?? [];
  if (date === undefined || time === undefined || offset === undefined) return undefined;
  const local = `${date}T${time}`;
  const localMs = Date.parse(`${local}Z`);
  // Date.parse takes the 31st of a short month for the 1st of the next.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(local)) return undefined;
  const ms = Date.parse(`${local}${offset.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : within(Math.floor(ms / 1_000));
}

function within(seconds: number): number | undefined {
  return seconds >= 0 && seconds <= secondsMax ? seconds : undefined;
}
