import { join } from 'node:path';
import { SimulatedMarket, type MarketOptionsInput } from '@jetton-analytics/simulated-market';
import { ZodError } from 'zod';
import { readJson, writeJson } from '../json-file.js';
import { UserError } from '../user-error.js';

/** What was asked for on the command line; an absent one is left to the saved market, or to the default. */
export type MarketWishes = { readonly [Option in keyof MarketOptionsInput]?: MarketOptionsInput[Option] | undefined };

export interface OpenMarket {
  readonly market: SimulatedMarket;
  readonly isResumed: boolean;
  /** Does nothing without a folder. */
  readonly save: () => Promise<void>;
}

const fileName = 'simulated-market.json';

/**
 * The market of a folder, or a new one whose history ends `delayMs` before `nowMs`: the last record of its history is then
 * due now. A new one is saved before anything is sent, so that a history that was cut short is sent again the same.
 * Throws a UserError where the saved market is another one than is asked for, or cannot be read.
 */
export async function openMarket(
  stateDir: string | undefined,
  wishes: MarketWishes,
  nowMs: number,
): Promise<OpenMarket> {
  const file = stateDir === undefined ? undefined : join(stateDir, fileName);
  const saved = file === undefined ? undefined : await readSaved(file);
  const market = saved ?? begin(wishes, nowMs);
  if (saved) {
    refuseAnother(saved, wishes, stateDir);
    if (wishes.ratePerSecond !== undefined) saved.setRate(wishes.ratePerSecond, nowMs);
  }
  const save = async (): Promise<void> => {
    if (file !== undefined) await writeJson(file, market.state());
  };
  if (!saved) await save();
  return { market, isResumed: saved !== undefined, save };
}

function begin(wishes: MarketWishes, nowMs: number): SimulatedMarket {
  const given = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
  const delayMs = wishes.delayMs ?? 3000;
  try {
    return SimulatedMarket.begin({ historyEndMs: nowMs - delayMs, delayMs, ...given });
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new UserError(`there is no such market: ${problems.join('; ')}`, 2, { cause: error });
  }
}

async function readSaved(file: string): Promise<SimulatedMarket | undefined> {
  try {
    const state = await readJson(file);
    return state === undefined ? undefined : SimulatedMarket.resume(state);
  } catch (error) {
    throw new UserError(`the saved market ${file} cannot be read: remove it to begin a new one`, 2, { cause: error });
  }
}

function refuseAnother({ options }: SimulatedMarket, wishes: MarketWishes, stateDir: string | undefined): void {
  const { ratePerSecond: _rate, ...lasting } = wishes;
  for (const [name, wish] of Object.entries(lasting)) {
    const has = options[name as keyof typeof options];
    if (wish === undefined || wish === has) continue;
    throw new UserError(
      `the market in ${stateDir} has ${name} ${has}, not ${wish}: take another folder for another one`,
      2,
    );
  }
}
