import { type Step, steps } from '@jetton-analytics/figures';
import type { Snapshots } from './snapshots.js';
import type { NewerMarker, SnapshotSource, Term } from './snapshot-source.js';
import { StepBuild } from './step-table.js';

/** The leader publishes faster than we can read: neither the old nor the new table can be completed. */
class CannotKeepUpError extends Error {
  override readonly name = 'CannotKeepUpError';
}

const passesMax = 100;

/** The marker to read a step up to: of the terms that have one, the greatest's. Pure. */
function targetOf(found: readonly NewerMarker[], step: Step): NewerMarker | undefined {
  return found
    .filter((marker) => marker.step === step)
    .reduce<NewerMarker | undefined>(
      (best, marker) => (best === undefined || marker.term > best.term ? marker : best),
      undefined,
    );
}

/**
 * Moves the model on to the newest published snapshots; leaves it as it is when there are none. Rejects with what the
 * source rejects with, the model then holds the snapshots it held before. `beforeShort` is called before a short step is
 * published, which says what jettons there are: what must be known of them by then can be read in it.
 */
export async function followOnce(
  source: SnapshotSource,
  model: Snapshots,
  beforeShort: () => Promise<void> = async () => undefined,
): Promise<void> {
  const newest = await source.newestTerm();
  model.beginClock(newest?.clock);
  if (newest === undefined) return;
  const found = await source.newerMarkers(newest, model.positions);
  for (const step of steps) {
    if (targetOf(found, step) !== undefined) {
      await followStep(source, model, step, newest, found, beforeShort);
    }
  }
}

/**
 * Reads a step in passes until no newer marker has appeared during the last one. Only then is the collection complete:
 * of a key's two slots the one that we needed can have been overwritten while we read, but not before the row in the
 * other one was marked, and that marker leads to one more pass.
 */
async function followStep(
  source: SnapshotSource,
  model: Snapshots,
  step: Step,
  begun: Term,
  foundFirst: readonly NewerMarker[],
  beforeShort: () => Promise<void>,
): Promise<void> {
  const held = model.table(step);
  let build: StepBuild | undefined;
  let found = foundFirst;
  let last: NewerMarker | undefined;
  for (let pass = 0; pass < passesMax; pass += 1) {
    const target = targetOf(found, step);
    if (target === undefined) {
      // A pass has been made and nothing is newer than what it read.
      if (build === undefined || last === undefined) return;
      if (step === 'short') await beforeShort();
      model.publish(step, build.publish(last), build.touched);
      return;
    }
    if (build?.term !== target.term) {
      build = new StepBuild(target.term, held?.marker.term === target.term ? held : undefined);
    }
    const range = { term: target.term, step, after: build.upTo, upTo: target.version, rowCount: target.rowCount };
    for await (const rows of source.jettonRows(range)) build.addJettons(rows);
    for await (const rows of source.marketRows(range)) build.addMarkets(rows);
    build.upTo = target.version;
    last = target;
    const newest = await source.newestTerm();
    // Another leader: the next round begins with its clock. One of the same clock may have come after one of another,
    // in whose term the rows that were being read were dropped.
    if (newest?.term !== begun.term) return;
    found = await source.newerMarkers(begun, { ...model.positions, [step]: target });
  }
  throw new CannotKeepUpError(`${step}: after ${passesMax} passes there is still a newer snapshot`);
}
