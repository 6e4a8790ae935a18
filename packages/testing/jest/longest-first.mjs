// The order of the specs. Jest starts first what took longest the last time; where there was no last time, as on a fresh
// clone, it goes by the size of the files, and a short file that drives the whole service for minutes starts at the end,
// with the other workers idle beside it.
import Sequencer from '@jest/test-sequencer';

/** Suites that take a minute or more, the longest first. The others take their place by their kind. */
export const longSuites = [
  'test/system/moving-market.e2e-spec.ts',
  'test/system/replay.e2e-spec.ts',
  'test/system/interface.e2e-spec.ts',
  'test/system/wall-clock.e2e-spec.ts',
  'test/system/faults.e2e-spec.ts',
  'test/system/market.e2e-spec.ts',
  'apps/aggregator/test/retention.e2e-spec.ts',
  'apps/aggregator/test/topic-audit.e2e-spec.ts',
  'apps/aggregator/test/state-inputs.e2e-spec.ts',
  'apps/aggregator/test/consumption.e2e-spec.ts',
];
const kinds = ['.e2e-spec.ts', '.int.spec.ts', '.spec.ts'];

/** A smaller place starts earlier. */
function placeOf(path) {
  const long = longSuites.findIndex((suite) => path.endsWith(`/${suite}`));
  if (long >= 0) return long;
  const kind = kinds.findIndex((ending) => path.endsWith(ending));
  return longSuites.length + (kind >= 0 ? kind : kinds.length);
}

const isUnmeasured = ({ duration }) => duration === undefined;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const ordered = super.sort([...tests]);
    // Sorting is stable: within one kind Jest's own order stays.
    const unmeasured = ordered.filter(isUnmeasured).sort((a, b) => placeOf(a.path) - placeOf(b.path));
    return ordered.map((test) => (isUnmeasured(test) ? unmeasured.shift() : test));
  }
}
