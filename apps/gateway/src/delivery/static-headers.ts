/** Names and values, flat, as `writeHead` takes them. */
export type FlatHeaders = readonly string[];

const exposed = [
  'Allow',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Data-As-Of',
  'X-Data-Lag',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const vary = 'Accept-Encoding, Authorization, X-API-Key, Origin';

const flat = (headers: Readonly<Record<string, string>>): FlatHeaders => Object.entries(headers).flat();

// Put together once: plugins that set each of these for every request cost more than passing the answer on.
const everywhere: FlatHeaders = flat({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  vary,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** For JSON, and for images, whose styles are their own: nothing else may be loaded by either. */
export const dataHeaders: FlatHeaders = [
  ...everywhere,
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
];

/** For the page of the docs: its own scripts and styles, the inline styles and data images of its library. */
export const pageHeaders: FlatHeaders = [
  ...everywhere,
  'content-security-policy',
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

/** The answer to a browser that asks before it sends. */
export const preflightHeaders = (methods: readonly string[]): FlatHeaders => [
  ...dataHeaders,
  ...flat({
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-Id',
    'access-control-max-age': '86400',
    'cache-control': 'public, max-age=86400',
    'content-length': '0',
  }),
];
