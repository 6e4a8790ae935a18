import { describe, expect, it } from '@jest/globals';
import { marketCommand } from './command.js';
import type { ReplayOptions, SimulateOptions } from './run.js';

async function parse(...args: string[]) {
  const called: (SimulateOptions | ReplayOptions)[] = [];
  const command = marketCommand({
    simulate: async (options) => void called.push(options),
    replay: async (options) => void called.push(options),
  });
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(args, { from: 'user' });
  return called[0];
}

describe('marketCommand', () => {
  it('leaves unset what was not asked for, so that a saved market is taken as it is', async () => {
    const options = await parse('simulate', '--state-dir', 'x');
    expect(options).toMatchObject({ isLive: true, stateDir: 'x' });
    expect(Object.values((options as SimulateOptions).wishes).every((wish) => wish === undefined)).toBe(true);
  });

  it('turns arguments into the market’s own units', async () => {
    const args = ['--seed', '7', '--rate', '0.5', '--delay', '1.5', '--end', '2026-11-21T12:00:00Z', '--no-live'];
    expect(await parse('simulate', ...args)).toMatchObject({
      isLive: false,
      wishes: { seed: 7, ratePerSecond: 0.5, delayMs: 1500, historyEndMs: Date.UTC(2026, 10, 21, 12) },
    });
    expect(await parse('replay', 'f', '--shift-seconds', '-60')).toMatchObject({
      shift: { kind: 'seconds', seconds: -60 },
    });
    expect(await parse('replay', 'f', '--shift-to-now', '--stay')).toMatchObject({
      shift: { kind: 'to-now' },
      stay: true,
    });
  });

  it.each([
    [['simulate', '--rate', '-1']],
    [['simulate', '--trades', '1e3']],
    [['simulate', '--end', 'yesterday']],
    [['replay']],
    [['replay', 'f', '--shift-to-now', '--shift-seconds', '1']],
    [['nothing']],
  ])('refuses %j', async (args) => {
    await expect(parse(...args)).rejects.toMatchObject({ name: 'CommanderError' });
  });
});
