import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../engine/engine-error.js';

export interface Credentials {
  user: string;
  password: string;
}

/**
 * Checks the name and password of a request, given as Basic authorization, as X-ClickHouse-User and -Key, or as the
 * parameters user and password; a request without any is the user `default` without a password.
 * @throws EngineError 516 when they are not the expected ones.
 */
export function authenticate(headers: IncomingHttpHeaders, params: URLSearchParams, expected: Credentials): void {
  const given = fromHeaders(headers) ??
    basic(headers.authorization) ?? {
      user: params.get('user') ?? 'default',
      password: params.get('password') ?? '',
    };
  const right = same(given.user, expected.user) && same(given.password, expected.password);
  if (right) return;
  throw new EngineError(
    516,
    'AUTHENTICATION_FAILED',
    `${given.user}: Authentication failed: password is incorrect, or there is no user with such name.`,
  );
}

/** A web page of another origin must not reach the data through its visitor's browser. */
export function refuseBrowsers(headers: IncomingHttpHeaders): void {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new EngineError(497, 'ACCESS_DENIED', 'Requests from web pages are not served');
}

function fromHeaders(headers: IncomingHttpHeaders): Credentials | undefined {
  const user = headers['x-clickhouse-user'];
  const key = headers['x-clickhouse-key'];
  if (user === undefined && key === undefined) return undefined;
  return { user: String(user ?? 'default'), password: String(key ?? '') };
}

function basic(header: string | undefined): Credentials | undefined {
  if (header === undefined) return undefined;
  const encoded = /^Basic\s+(\S+)$/i.exec(header)?.[1];
  if (encoded === undefined) throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Only Basic authorization is known');
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { user, password: password.join(':') };
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
