/** Samplers by their standard names. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

export interface TracingOptions {
  /** `service.name` of the spans. */
  readonly service: string;
  /** Where spans go; undefined: none are made. */
  readonly endpoint: string | undefined;
  readonly sampler: SamplerName;
  /** Of the ratio samplers, 0 to 1. */
  readonly samplerShare: number | undefined;
  /** Told of spans that could not be sent. */
  readonly onProblem: (message: string) => void;
}

export interface Tracing {
  /** Sends what is left and makes no more spans. Rejects where the collector does not take it. */
  stop(): Promise<void>;
}
