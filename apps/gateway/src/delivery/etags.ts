import type { Encoding } from './encodings.js';

const suffixed = /\.(?:zstd|br|gzip)"/g;

/** The tag of one form of a body: `"abc"` compressed with br is `"abc.br"`, for the bytes differ. */
export const etagOf = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}.${encoding}"`;

/** An If-None-Match as whoever makes the body knows its tag: without encodings. */
export const withoutEncodings = (ifNoneMatch: string): string => ifNoneMatch.replaceAll(suffixed, '"');

/** The tag of a 304: that of the form which the client has, as it wrote it. */
export function knownEtag(ifNoneMatch: string, etag: string): string {
  const tags = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.find((tag) => withoutEncodings(tag) === etag) ?? etag;
}

/** Whether a client has the body with this tag, in whatever encoding. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = withoutEncodings(ifNoneMatch);
  return known.trim() === '*' || known.match(/"[^"]*"/g)?.includes(etag) === true;
}
