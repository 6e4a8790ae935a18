export { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
export { carriedContext, carryContext, linksOf } from './carried-context.js';
export { activePlace, inChildSpan, inSharedSpan, inSpan, type OpenSpan, openSpan, traceFields } from './spans.js';
export { isTracing, samplerNames, startTracing, type Tracing } from './start-tracing.js';
