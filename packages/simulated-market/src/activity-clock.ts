const dayMs = 86_400_000;
const omega = (2 * Math.PI) / dayMs;
const busiestHourUtc = 16;
const amplitudeMax = 0.6;
const newtonRoundsMax = 12;
const closeEnoughMs = 0.01;

/**
 * Time as the market feels it: it runs faster by day than by night, and trades come evenly in it.
 * activity(t) = t + (a/ω)·sin(ω(t − peak)), so the density of trades at t is 1 + a·cos(ω(t − peak)).
 */
export interface ActivityClock {
  /** Both directions in milliseconds; they are inverse to each other and never decrease. */
  activityOf(timeMs: number): number;
  timeOf(activityMs: number): number;
}

/** `amplitude` a: 0 is a flat day, 0.4 makes the busiest hour 2.3 times the quietest. Throws a RangeError outside 0…0.6. */
export function createActivityClock(amplitude: number): ActivityClock {
  // Further up Newton's steps may leap past each other.
  if (!(amplitude >= 0 && amplitude <= amplitudeMax)) throw new RangeError('dayNightAmplitude must be from 0 to 0.6');
  const peakMs = (busiestHourUtc / 24) * dayMs;
  // The angle from the time within the day: sin of 10^5 rad is slower and less exact.
  const angleOf = (timeMs: number): number => omega * ((timeMs - peakMs) % dayMs);
  const activityOf = (timeMs: number): number => timeMs + (amplitude / omega) * Math.sin(angleOf(timeMs));
  return {
    activityOf,
    timeOf(activityMs) {
      if (amplitude === 0) return activityMs;
      let timeMs = activityMs;
      for (let round = 0; round < newtonRoundsMax; round += 1) {
        const stepMs = (activityOf(timeMs) - activityMs) / (1 + amplitude * Math.cos(angleOf(timeMs)));
        timeMs -= stepMs;
        if (Math.abs(stepMs) < closeEnoughMs) break;
      }
      return timeMs;
    },
  };
}
