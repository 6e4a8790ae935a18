import type { IncomingHttpHeaders } from 'node:http';

// Lists of what passes, so that nothing new passes by accident: neither a client's credential inwards nor an inner
// header outwards. Hop-by-hop headers (RFC 9110, 7.6.1) are in neither.
const requestHeaders = ['accept', 'content-type'] as const;
const responseHeaders = [
  'allow',
  'cache-control',
  'content-length',
  'content-type',
  'etag',
  'retry-after',
  'vary',
  'x-data-as-of',
  'x-data-lag',
] as const;

type Headers = Record<string, string | string[]>;

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Headers {
  const picked: Headers = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** What an app behind gets of a client's header, with the request's id. */
export function requestHeadersOf(headers: IncomingHttpHeaders, requestId: string): Headers {
  return { ...pick(headers, requestHeaders), 'x-request-id': requestId };
}

/** What a client gets of the header of an app behind. */
export const responseHeadersOf = (headers: IncomingHttpHeaders): Headers => pick(headers, responseHeaders);

/** The path and query of a request target, which may have the form of a whole URL (RFC 9112, 3.2.2). */
export function targetPathOf(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^https?:\/\/[^/?]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
