import type { Tracing, TracingOptions } from './tracing-options.js';

let tracing = false;

/** Whether this process makes spans: where it does not, nothing is asked of OpenTelemetry at all. */
export const isTracing = (): boolean => tracing;

/** Begins to make spans where an endpoint is set; without one OpenTelemetry's SDK is not even loaded. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  if (options.endpoint === undefined) return { stop: () => Promise.resolve() };
  const { installProvider } = await import('./provider.js');
  const provider = installProvider(options);
  tracing = true;
  return {
    async stop() {
      tracing = false;
      await provider.stop();
    },
  };
}
