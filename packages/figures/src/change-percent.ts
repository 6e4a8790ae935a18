import { decimalText } from './decimal-text.js';
import { dividedHalfAway, pow10, type Scaled } from './exact.js';

const percentDecimals = 4;
const scaledMax = 999_999_999_999_999n; // 99,999,999,999.9999 with 4 decimals

/** changePercent as JSON number text; `changeStatus` only where there is no previous number to compare with. */
export interface Change {
  readonly text: string;
  readonly changeStatus?: 'noPrevious';
}

const unchanged: Change = { text: '0' };
const noPrevious: Change = { text: '0', changeStatus: 'noPrevious' };

/** In units of the fourth decimal; previous is not 0. */
function ratioScaled(current: Scaled, previous: Scaled): bigint {
  let now = current.value;
  let before = previous.value;
  if (current.decimals < previous.decimals) now *= pow10(previous.decimals - current.decimals);
  else if (previous.decimals < current.decimals) before *= pow10(current.decimals - previous.decimals);
  if (now === before) return 0n;
  const difference = before < 0n ? before - now : now - before;
  // × 100 for percent, × 10^4 for the four decimals
  const percent = dividedHalfAway(difference * 1_000_000n, before < 0n ? -before : before);
  return percent > scaledMax ? scaledMax : percent < -scaledMax ? -scaledMax : percent;
}

const ratioChange = (current: Scaled, previous: Scaled): Change => ({
  text: decimalText(ratioScaled(current, previous), percentDecimals),
});

/**
 * changePercent of a count or a volume, from the two numbers as emitted: (current − previous) / previous × 100, exact,
 * rounded half away from zero to 4 decimals, clamped to ±99,999,999,999.9999, as a JSON number without exponent,
 * trailing zeros or `-0`. previous 0: `0`, and noPrevious unless current is 0 too.
 * Source: docs/statistics.md, "changePercent".
 */
export function changePercent(current: Scaled, previous: Scaled): Change {
  if (previous.value === 0n) return current.value === 0n ? unchanged : noPrevious;
  return ratioChange(current, previous);
}

/**
 * changePercent of a price: as {@link changePercent}, but a previous price that is unknown or emitted as 0 gives `0` and
 * noPrevious whatever the current one is. Source: docs/statistics.md, "changePercent".
 */
export function priceChangePercent(current: Scaled, previous: Scaled): Change {
  return previous.value === 0n ? noPrevious : ratioChange(current, previous);
}

/** The text of {@link priceChangePercent} as a number in units of its fourth decimal. */
export const priceChangeScaled = (current: Scaled, previous: Scaled): bigint =>
  previous.value === 0n ? 0n : ratioScaled(current, previous);
