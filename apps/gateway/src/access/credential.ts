import type { IncomingHttpHeaders } from 'node:http';
import { isKeyText } from '@jetton-analytics/postgres';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * The key that a request shows: `Authorization: Bearer <key>` or `X-API-Key: <key>`; undefined without either. Says
 * `malformed` for anything else in these headers, and for two keys that differ. Pure. Source: docs/http-api.md, "Credentials
 * and plans".
 */
export function credentialOf(headers: IncomingHttpHeaders): { key: string } | 'malformed' | undefined {
  const { authorization } = headers;
  const header = headers['x-api-key'];
  if (authorization === undefined && header === undefined) return undefined;
  const given = authorization === undefined ? undefined : (bearer.exec(authorization)?.[1] ?? '');
  const key = given ?? header;
  if (typeof key !== 'string' || !isKeyText(key)) return 'malformed';
  return header === undefined || header === key ? { key } : 'malformed';
}
