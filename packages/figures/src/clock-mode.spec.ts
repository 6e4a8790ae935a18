import { describe, expect, it } from '@jest/globals';
import { clockModeText, parseClockMode, stepSecondsOf, type ClockMode } from './clock-mode.js';

describe('CLOCK', () => {
  it('is wall, event, or fixed at an instant, and reads back from its own text', () => {
    const modes: [string, ClockMode][] = [
      ['wall', { mode: 'wall' }],
      ['event', { mode: 'event' }],
      ['fixed:2022-01-05T00:00:00Z', { mode: 'fixed', at: 1_641_340_800 }],
    ];
    for (const [text, mode] of modes) {
      expect(parseClockMode(text)).toEqual(mode);
      expect(clockModeText(mode)).toBe(text);
    }
  });

  it('with anything else says what is expected and what was got', () => {
    for (const text of ['', 'WALL', 'fixed', 'fixed:', 'fixed:2022-02-30T00:00:00Z', 'fixed:1641340800', 'event ']) {
      const read = parseClockMode(text);
      expect(read).toEqual({
        error: `expected wall, event, or fixed:<instant as YYYY-MM-DDTHH:MM:SSZ>, got ${JSON.stringify(text)}`,
      });
    }
  });

  it('event or fixed calculates every second, wall at the steps of the settings', () => {
    const settings = { short: 3, mid: 20, long: 60 };
    expect(stepSecondsOf({ mode: 'wall' })).toEqual({ short: 2, mid: 15, long: 120 });
    expect(stepSecondsOf({ mode: 'wall' }, settings)).toEqual(settings);
    expect(stepSecondsOf({ mode: 'event' }, settings)).toEqual({ short: 1, mid: 1, long: 1 });
    expect(stepSecondsOf({ mode: 'fixed', at: 0 }, settings)).toEqual({ short: 1, mid: 1, long: 1 });
  });
});
