import type { Step, WindowA } from '@jetton-analytics/figures';

export interface WindowSeed {
  readonly buys?: string;
  readonly sells?: string;
  readonly traders?: string;
  readonly volumeUsdBuy?: string;
  readonly volumeUsdSell?: string;
  readonly priceTon?: readonly [current: string, previous: string, decimals?: number];
  readonly priceUsd?: readonly [current: string, previous: string, decimals?: number];
}

const windowsOfStep: Readonly<Record<Step, readonly WindowA[]>> = {
  short: ['min15', 'hour'],
  mid: ['hour6', 'hour12', 'day'],
  long: ['week', 'month'],
};

function windowTuple(name: WindowA, seed: WindowSeed): unknown[] {
  const { buys = '0', sells = '0', traders = '0', volumeUsdBuy = '0', volumeUsdSell = '0' } = seed;
  const [ton, tonBefore, tonDecimals = 9] = seed.priceTon ?? ['0', '0'];
  const [usd, usdBefore, usdDecimals = 6] = seed.priceUsd ?? ['0', '0'];
  const counts = [buys, '0', sells, '0', traders, '0', '0', '0', '0', '0'];
  const volumes = [volumeUsdBuy, '0', volumeUsdSell, '0', '0', '0', '0', '0'];
  return [
    name,
    ...counts,
    ...volumes,
    [ton, tonDecimals],
    [tonBefore, tonDecimals],
    [usd, usdDecimals],
    [usdBefore, usdDecimals],
  ];
}

/** The text of a jetton's row of a step, as the query makes it: all windows alike, or by name. */
export function figuresText(
  step: Step,
  seed: WindowSeed | Partial<Record<WindowA, WindowSeed>>,
  changedAt: readonly [ton: number, usd: number] = [0, 0],
): string {
  const byName = Object.keys(seed).some((key) => windowsOfStep[step].includes(key as WindowA));
  const of = (name: WindowA) =>
    byName ? ((seed as Partial<Record<WindowA, WindowSeed>>)[name] ?? {}) : (seed as WindowSeed);
  return JSON.stringify([windowsOfStep[step].map((name) => windowTuple(name, of(name))), ...changedAt, []]);
}
