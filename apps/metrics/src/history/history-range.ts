/** No trade of the feed is older or newer than this, Unix seconds (docs/feed.md, "Bad messages"). */
const earliest = Date.UTC(2019, 0, 1) / 1_000;
const latest = Date.UTC(2100, 0, 1) / 1_000;

/** The instant, or the end of history that it lies beyond. */
export const withinHistory = (seconds: number): number => Math.min(latest, Math.max(earliest, seconds));
