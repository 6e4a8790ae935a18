import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';

/** Headers of a request or a record: texts, bytes, or several under one name. */
type CarriedHeaders = Readonly<
  Record<string, string | Buffer | readonly (string | Buffer)[] | readonly string[] | undefined>
>;

const traceParent = 'traceparent';
/** OpenTelemetry keeps no more links of a span. */
const linksMax = 128;

const textOf = (headers: CarriedHeaders, name: string): string | undefined => {
  const content = headers[name];
  const one: string | Buffer | undefined =
    typeof content === 'string' || Buffer.isBuffer(content) ? content : content?.[0];
  return one?.toString();
};

const getter: TextMapGetter<CarriedHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: textOf,
};

/** The context that headers carry (W3C Trace Context); one that is not valid is as none. Throws nothing. */
export function carriedContext(headers: CarriedHeaders): Context {
  return propagation.extract(ROOT_CONTEXT, headers, getter);
}

/** The headers that carry the active span to whoever gets them; none where no span is active. */
export function carryContext(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** A link for each span that any of these headers names: 128 at most, whatever their number. */
export function linksOf(all: Iterable<CarriedHeaders>): Link[] {
  const links = new Map<string, Link>();
  for (const headers of all) {
    const parent = textOf(headers, traceParent);
    if (parent === undefined || links.has(parent)) continue;
    const spanContext = trace.getSpanContext(carriedContext({ [traceParent]: parent }));
    if (spanContext !== undefined) links.set(parent, { context: spanContext });
    if (links.size >= linksMax) break;
  }
  return [...links.values()];
}
