import { type Step, windows } from '@jetton-analytics/figures';

type StepWindow = (typeof windows)[number];

const windowsOf = (step: Step): readonly StepWindow[] => windows.filter((window) => window.step === step);

/** The windows of each step, ascending. */
export const stepWindows: Readonly<Record<Step, readonly StepWindow[]>> = {
  short: windowsOf('short'),
  mid: windowsOf('mid'),
  long: windowsOf('long'),
};

/** Instants that cut the step's windows at C, ascending: C − 2w, C − w and C. All fall on the same second of a minute. */
export function edgesOf(step: Step, calculatedAt: number): number[] {
  const edges = new Set([calculatedAt]);
  for (const { seconds } of stepWindows[step]) {
    edges.add(calculatedAt - seconds);
    edges.add(calculatedAt - 2 * seconds);
  }
  return [...edges].sort((a, b) => a - b);
}

/** Instants at which the step needs prices: C, then C − w in the order of its windows. */
export function anchorsOf(step: Step, calculatedAt: number): number[] {
  return [calculatedAt, ...stepWindows[step].map(({ seconds }) => calculatedAt - seconds)];
}

export const minuteOf = (seconds: number): number => seconds - (seconds % 60);

/** Starts of the minutes that the instants cut; none where they fall on whole minutes. */
export const cutMinutes = (instants: readonly number[]): number[] => [
  ...new Set(instants.filter((instant) => instant % 60 !== 0).map(minuteOf)),
];
