import { describe, expect, it } from '@jest/globals';
import { type Step, steps } from '@jetton-analytics/figures';
import * as fc from 'fast-check';
import { materialiseClosed } from '@jetton-analytics/rollups';
import { KnownFacts } from '../src/facts/known-facts.js';
import { type Instant, StepSnapshots } from '../src/snapshots/step-snapshots.js';
import { assets } from './feed-messages.js';
import { histories, Scenario, turns } from './scenario.js';
import { publishedRows } from './snapshot-view.js';
import { newStore, prices } from './store.js';

// 2026-03-10T09:59:41Z: nineteen seconds before an hour's end
const start = 1_773_136_781;
const leading = () => undefined;

describe('snapshots that follow the ledger', () => {
  it('end at the rows that a calculation from nothing gives at the same instant and with the same facts, in every step', async () => {
    const property = fc.asyncProperty(
      histories,
      fc.array(turns, { minLength: 10, maxLength: 10 }),
      async (history, list) => {
        const { store, writer } = await newStore();
        try {
          const scenario = new Scenario(writer, start);
          for (const batch of history) await scenario.write(batch);
          const facts = new KnownFacts(assets);
          const followers = new Map(
            steps.map((step) => [step, new StepSnapshots(store, step, 1, facts.view(), prices)]),
          );
          const take = (step: Step, positions: Instant['positions']) =>
            followers.get(step)?.take(instantOf(scenario.now, positions), leading);
          let told = scenario.positions;
          for (const step of steps) await take(step, told);
          for (const turn of list) {
            scenario.now += turn.passSeconds;
            for (const { jetton, decimals } of turn.decimals) facts.setDecimals(jetton, decimals);
            for (const { pool, left, right } of turn.states) facts.setSides(pool, { left, right });
            for (const batch of turn.batches) await scenario.write(batch);
            if (turn.isPositionTold) told = scenario.positions;
            if (turn.isMaterialised) await materialiseClosed(store, scenario.now, leading);
            for (const step of turn.steps) await take(step, told);
          }
          for (const step of steps) {
            await take(step, scenario.positions);
            await new StepSnapshots(store, step, 2, facts.view(), prices).take(
              instantOf(scenario.now, scenario.positions),
              leading,
            );
            const fromNothing = await publishedRows(store, 2, step);
            expect(fromNothing.size).toBeGreaterThan(0);
            expect(Object.fromEntries(await publishedRows(store, 1, step))).toEqual(Object.fromEntries(fromNothing));
          }
        } finally {
          await store.close();
        }
      },
    );
    // No shrinking: a run takes seconds. The seed of a failure is in its message.
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  }, 600_000);
});

function instantOf(now: number, positions: Instant['positions']): Instant {
  return { calculatedAt: now, asOf: now, positions, markedOn: '2026-03-10' };
}
