import { context, diag, type DiagLogger, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SamplerName, Tracing, TracingOptions } from './tracing-options.js';

const parentBased = 'parentbased_';

/** The standard's samplers; the ratio ones keep everything without a share. */
function samplerOf(name: SamplerName, share = 1): Sampler {
  if (name.startsWith(parentBased)) {
    return new ParentBasedSampler({ root: samplerOf(name.slice(parentBased.length) as SamplerName, share) });
  }
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(share);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/**
 * Makes OpenTelemetry's SDK the maker of all spans of this process. It reads OTEL_EXPORTER_OTLP_* and
 * OTEL_RESOURCE_ATTRIBUTES by itself. Spans are gathered and sent aside: a collector that is away costs spans and
 * nothing else.
 */
export function installProvider({ service, sampler, samplerShare, onProblem }: TracingOptions): Tracing {
  diag.setLogger(problemsOnly(onProblem), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.namespace': 'jetton-analytics' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler, samplerShare),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown() };
}

const none = () => undefined;

function problemsOnly(onProblem: (message: string) => void): DiagLogger {
  return { error: onProblem, warn: onProblem, info: none, debug: none, verbose: none };
}
