import type { ServiceStatus } from '@jetton-analytics/common';
import { formatInstant, steps, windows } from '@jetton-analytics/figures';
import type { Inputs, ReadModel } from '@jetton-analytics/read-model';

/** T as far as it is known here, Unix seconds: as the leader told last, or of the newest snapshot. */
export function asOfOf(model: ReadModel, inputs: Inputs): number | undefined {
  const instants = steps.flatMap((step) => model.marker(step)?.asOf ?? []);
  if (inputs.asOf !== undefined) instants.push(inputs.asOf);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** The answer of `GET /v1/status`. Before the first term of a leader the clock is `unknown`. */
export function getStatus(model: ReadModel, inputs: Inputs, nowMs: number): ServiceStatus {
  const asOf = asOfOf(model, inputs);
  return {
    clock: model.clock ?? 'unknown',
    ...(asOf !== undefined && { asOf: formatInstant(asOf) }),
    inputs: inputs.at(nowMs),
    windows: Object.fromEntries(
      windows.flatMap(({ name, step }) => {
        const marker = model.marker(step);
        if (marker === undefined) return [];
        const { calculatedAt, version, inputPosition } = marker;
        return [
          [name, { calculatedAt: formatInstant(calculatedAt), snapshot: version.toString(), inputPosition }] as const,
        ];
      }),
    ),
    ...model.counts,
  };
}
