/** Windows are calculated in three groups, each at its own cadence. */
export const steps = ['short', 'mid', 'long'] as const;
export type Step = (typeof steps)[number];

/** Every window of the service, ascending: its name, its length in seconds, and the step it is calculated at. */
export const windows = [
  { name: 'min15', seconds: 900, step: 'short' },
  { name: 'hour', seconds: 3_600, step: 'short' },
  { name: 'hour6', seconds: 21_600, step: 'mid' },
  { name: 'hour12', seconds: 43_200, step: 'mid' },
  { name: 'day', seconds: 86_400, step: 'mid' },
  { name: 'week', seconds: 604_800, step: 'long' },
  { name: 'month', seconds: 2_592_000, step: 'long' },
] as const satisfies readonly { name: string; seconds: number; step: Step }[];

export type Window = (typeof windows)[number];

/** Windows-A: prices. */
export const windowsA = windows.map(({ name }) => name);
export type WindowA = Window['name'];

/** Windows-B: counts and volumes of a jetton. */
export const windowsB = ['hour', 'hour6', 'day', 'week', 'month'] as const satisfies readonly WindowA[];
export type WindowB = (typeof windowsB)[number];

/** Windows-C: counts of one market. */
export const windowsC = ['day', 'week', 'month'] as const satisfies readonly WindowA[];
export type WindowC = (typeof windowsC)[number];

/** The step each window is calculated at. */
export const stepOf = Object.fromEntries(windows.map(({ name, step }) => [name, step])) as Record<WindowA, Step>;

/** The length of each window in seconds. */
export const windowSeconds = Object.fromEntries(windows.map(({ name, seconds }) => [name, seconds])) as Record<
  WindowA,
  number
>;

/** Seconds between two calculations of each step; the defaults of the settings. */
export const defaultStepSeconds: Readonly<Record<Step, number>> = { short: 2, mid: 15, long: 120 };

/** Instants are Unix seconds; `from` is inside, `to` is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * calculatedAt: the greatest multiple of the step that is not after T (Unix seconds).
 * Source: docs/statistics.md, "Windows".
 */
export const calculatedAt = (t: number, stepSeconds: number): number => Math.floor(t / stepSeconds) * stepSeconds;

/**
 * The two spans of a window of `seconds` at instant C: current is C−w ≤ event_time < C, previous is
 * C−2w ≤ event_time < C−w. Source: docs/statistics.md, "Windows".
 */
export function windowEdges(c: number, seconds: number): { readonly current: Span; readonly previous: Span } {
  const middle = c - seconds;
  return { current: { from: middle, to: c }, previous: { from: middle - seconds, to: middle } };
}
