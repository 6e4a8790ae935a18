/**
 * Whether an If-None-Match names the entity tag `etag` (quoted, strong). Compared weakly, as RFC 9110, 13.1.2 says; `*`
 * names any. Pure.
 */
export function etagMatches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === etag || tag === '*' || (tag.startsWith('W/') && tag.slice(2) === etag);
  });
}
