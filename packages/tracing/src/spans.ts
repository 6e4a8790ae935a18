import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isTracing } from './start-tracing.js';

interface SpanOptions {
  readonly kind: SpanKind;
  /** From closed sets: no address, no parameter of a request, no secret. */
  readonly attributes?: Attributes;
  readonly links?: Link[];
  /** Where the span belongs; what is active by default. */
  readonly parent?: Context;
}

/** A span that is ended by hand. */
export interface OpenSpan {
  /** Runs what belongs to the span. */
  run<T>(work: () => T): T;
  end(attributes: Attributes, failed: boolean, name?: string): void;
}

const tracer = () => trace.getTracer('jetton-analytics');

/** Begins a span. To be asked for only while `isTracing()`. */
export function openSpan(name: string, { kind, attributes = {}, links = [], parent }: SpanOptions): OpenSpan {
  const under = parent ?? context.active();
  const span = tracer().startSpan(name, { kind, attributes, links }, under);
  const own = trace.setSpan(under, span);
  return {
    run: (work) => context.with(own, work),
    end(last, failed, finalName) {
      span.setAttributes(last);
      if (finalName !== undefined) span.updateName(finalName);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Does the work in a span of its own, which is failed when the work throws; without tracing it only does the work. */
export async function inSpan<T>(name: string, options: () => SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTracing()) return work();
  const span = openSpan(name, options());
  try {
    const result = await span.run(work);
    span.end({}, false);
    return result;
  } catch (error) {
    // The class and not the message, which may hold what was asked for.
    span.end({ 'error.type': error instanceof Error ? error.name : 'unknown' }, true);
    throw error;
  }
}

/** {@link inSpan} below an active span; what nobody's span asks for, as a poll, makes none. */
export function inChildSpan<T>(name: string, options: () => SpanOptions, work: () => Promise<T>): Promise<T> {
  return activeSpan() === undefined ? work() : inSpan(name, options, work);
}

/** Where spans that are begun now belong; undefined without tracing. */
export const activePlace = (): Context | undefined => (isTracing() ? context.active() : undefined);

/** {@link inSpan} for work that several have asked for together: a child of the first, with links to the others. */
export function inSharedSpan<T>(
  name: string,
  places: readonly (Context | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const [parent, ...others] = places.filter((place) => place !== undefined);
  if (parent === undefined) return work();
  const links = others.flatMap((place) => trace.getSpanContext(place) ?? []).map((linked) => ({ context: linked }));
  return inSpan(name, () => ({ kind: SpanKind.INTERNAL, parent, links }), work);
}

/** `trace_id` and `span_id` of the active span, for a line of the log; nothing where there is none. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const spanContext = activeSpan()?.spanContext();
  if (spanContext === undefined || !isSpanContextValid(spanContext)) return {};
  return { trace_id: spanContext.traceId, span_id: spanContext.spanId };
}

const activeSpan = (): Span | undefined => (isTracing() ? trace.getActiveSpan() : undefined);
