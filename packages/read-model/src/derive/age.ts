const secondsPerDay = 86_400;
const fullAgeSeconds = 180 * secondsPerDay;
const fullHundredths = 1_000;

/**
 * The next instant after `at` at which the age part of the trust score has other points or another reason: the next
 * whole day, or the next edge of rounding to 0.01 of 10 points over 180 days. Unix seconds.
 * Source: docs/statistics.md, "trustScore, version 1".
 */
export function ageChangesAt(createdAt: number, at: number): number {
  const age = at - createdAt;
  if (age < 0) return createdAt;
  const nextDay = (Math.floor(age / secondsPerDay) + 1) * secondsPerDay;
  if (age >= fullAgeSeconds) return createdAt + nextDay;
  // Rounded half up: h points begin at (h − 1/2) × fullAge / full.
  const hundredths = Math.floor((2 * fullHundredths * age + fullAgeSeconds) / (2 * fullAgeSeconds));
  const nextEdge = Math.ceil(((2 * hundredths + 1) * fullAgeSeconds) / (2 * fullHundredths));
  return createdAt + Math.min(nextDay, nextEdge);
}
