export { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
export { carriedContext, carryContext, linksOf } from './carried-context.js';
export { activePlace, inChildSpan, inSharedSpan, inSpan, type OpenSpan, openSpan, traceFields } from './spans.js';
export { isTracing, startTracing } from './start-tracing.js';
export { samplerNames, type Tracing } from './tracing-options.js';
