import { describe, expect, it } from '@jest/globals';
import { parseOptions, UsageError } from './options.js';

describe('the command line of npm start', () => {
  it('starts the simulated market by the wall clock when nothing is said', () => {
    expect(parseOptions([], '/home')).toEqual({
      source: { kind: 'market' },
      clock: 'wall',
      fresh: false,
    });
  });

  it('passes the wishes for the market on', () => {
    const args = ['--trades', '500', '--rate', '2.5', '--seed', '7', '--fresh', '--port', '4000', '--data-dir', 'x'];
    expect(parseOptions(args, '/home')).toEqual({
      source: { kind: 'market', trades: 500, rate: 2.5, seed: 7 },
      clock: 'wall',
      fresh: true,
      dataDir: '/home/x',
      port: 4000,
    });
  });

  it.each([
    [['--replay', 'a.ndjson'], 'event', false],
    [['--replay', 'a.ndjson', '--shift-to-now'], 'wall', true],
    [['--replay', 'a.ndjson', '--clock', 'fixed:2022-01-05T12:00:00Z'], 'fixed:2022-01-05T12:00:00Z', false],
  ])('replays %j by the clock %s', (args, clock, shiftToNow) => {
    expect(parseOptions(args, '/home')).toMatchObject({
      source: { kind: 'replay', file: '/home/a.ndjson', shiftToNow },
      clock,
    });
  });

  it.each([
    [['--replay', 'a', '--source', 'kafka'], /--replay is a source of its own/],
    [['--shift-to-now'], /--shift-to-now belongs to --replay/],
    [['--replay', 'a', '--shift-to-now', '--clock', 'event'], /leave --clock out/],
    [['--replay', 'a', '--rate', '1'], /--rate belongs to the simulated market/],
    [['--source', 'kafka', '--seed', '1'], /--seed belongs to the simulated market/],
    [['--clock', 'fixed:yesterday'], /expected wall, event, or fixed:/],
    [['--port', '70000'], /expected a whole number from 1 to 65535/],
    [['--trades', '1e3'], /expected a whole number/],
    [['--sauce', 'kafka'], /unknown option '--sauce'/],
    [['file.ndjson'], /too many arguments/],
  ])('refuses %j with a sentence', (args, sentence) => {
    expect(() => parseOptions(args, '/home')).toThrow(sentence);
    expect(() => parseOptions(args, '/home')).toThrow(UsageError);
  });
});
