export const windowSeconds = {
  min15: 900,
  hour: 3_600,
  hour6: 21_600,
  hour12: 43_200,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
} as const;
export type WindowName = keyof typeof windowSeconds;

export const windowsA = ['min15', 'hour', 'hour6', 'hour12', 'day', 'week', 'month'] as const;
export const windowsB = ['hour', 'hour6', 'day', 'week', 'month'] as const;
export const windowsC = ['day', 'week', 'month'] as const;

/** The instant C (Unix seconds) at which each window is calculated. */
export type Instants = Readonly<Record<WindowName, number>>;

/** CLOCK=event and fixed: every step is 1 s, so every window is calculated at T itself. */
export function sameInstant(t: number): Instants {
  return { min15: t, hour: t, hour6: t, hour12: t, day: t, week: t, month: t };
}

/** CLOCK=wall: one instant per step (2 s, 15 s, 120 s). */
export function perStep(short: number, middle: number, long: number): Instants {
  return { min15: short, hour: short, hour6: middle, hour12: middle, day: middle, week: long, month: long };
}

/** `2022-01-05T23:59:58Z`. */
export const timestampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
