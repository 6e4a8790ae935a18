import { formatInstant, parseInstant } from './instants.js';
import { defaultStepSeconds, type Step } from './windows.js';

/**
 * What T follows: the broker's clock, the feed's event times (replays, tests), or one pinned instant (Unix seconds).
 * Source: docs/statistics.md, "Windows".
 */
export type ClockMode =
  | { readonly mode: 'wall' }
  | { readonly mode: 'event' }
  | { readonly mode: 'fixed'; readonly at: number };

export const clockModeExpected = 'wall, event, or fixed:<instant as YYYY-MM-DDTHH:MM:SSZ>';

/** Reads the setting CLOCK. Returns the mode, or the error in words for whoever set it. */
export function parseClockMode(text: string): ClockMode | { readonly error: string } {
  if (text === 'wall' || text === 'event') return { mode: text };
  if (text.startsWith('fixed:')) {
    const at = parseInstant(text.slice('fixed:'.length));
    if (at !== undefined) return { mode: 'fixed', at };
  }
  return { error: `expected ${clockModeExpected}, got ${JSON.stringify(text)}` };
}

/** The text that {@link parseClockMode} reads back to the same mode; stored to notice a store of another clock. */
export function clockModeText(clock: ClockMode): string {
  return clock.mode === 'fixed' ? `fixed:${formatInstant(clock.at)}` : clock.mode;
}

const everySecond: Readonly<Record<Step, number>> = { short: 1, mid: 1, long: 1 };

/** Seconds between two calculations of each step: the settings on the wall clock, 1 s for all otherwise. */
export function stepSecondsOf(
  clock: ClockMode,
  settings: Readonly<Record<Step, number>> = defaultStepSeconds,
): Readonly<Record<Step, number>> {
  return clock.mode === 'wall' ? settings : everySecond;
}
