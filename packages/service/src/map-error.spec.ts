import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DomainError, invalidArgument } from './domain-error.js';
import { toDomainError } from './map-error.js';
import { problemResponse } from './problem.js';

const frameworkError = (statusCode: number, code: string) =>
  Object.assign(new Error('secret host db-1'), { statusCode, code });

describe('toDomainError', () => {
  it.each([
    [400, 'FST_ERR_BAD_URL', 'invalidArgument'],
    [404, 'X', 'notFound'],
    [413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'payloadTooLarge'],
    [415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupportedMediaType'],
    [418, 'X', 'invalidArgument'],
    [431, 'X', 'headersTooLarge'],
    [500, 'X', 'internal'],
    [503, 'FST_ERR_HANDLER_TIMEOUT', 'unavailable'],
    [504, 'X', 'deadlineExceeded'],
  ])('maps status %i (%s) to %s without the message of the library', (status, frameworkCode, code) => {
    const error = toDomainError(frameworkError(status, frameworkCode));
    expect(error.code).toBe(code);
    expect(error.detail).not.toContain('db-1');
  });

  it('lists what is wrong with a request that the router refused', () => {
    expect(toDomainError(frameworkError(400, 'FST_ERR_BAD_URL')).violations).toEqual([
      { field: 'path', reason: 'MALFORMED', message: 'is not validly percent-encoded' },
    ]);
  });

  it('keeps anything unknown from the client: internal, the original only as the cause', () => {
    const original = new TypeError('SELECT * FROM secrets');
    const error = toDomainError(original);
    expect(error).toMatchObject({ code: 'internal', cause: original });
    expect(error.detail).not.toContain('SELECT');
    expect(toDomainError('text').code).toBe('internal');
  });
});

describe('problemResponse', () => {
  it('is the body of docs/http-api.md, "Errors", word for word', () => {
    const error = invalidArgument([{ field: 'limit', reason: 'TOO_LARGE', message: 'must be at most 100' }]);
    const { status, headers, body } = problemResponse(error, '/v1/jettons?limit=101', 'r-1');
    expect(status).toBe(400);
    expect(headers['Content-Type']).toBe('application/problem+json');
    expect(body).toBe(
      '{"type":"/errors/invalid-argument","title":"Invalid argument","status":400,"detail":"limit: must be at most 100",' +
        '"instance":"/v1/jettons","code":3,"message":"limit: must be at most 100",' +
        '"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest.FieldViolation","field":"limit","reason":"TOO_LARGE","message":"must be at most 100"}],"requestId":"r-1"}',
    );
  });

  it('is the example that docs/http-api.md gives', () => {
    const document = readFileSync(new URL('../../../docs/http-api.md', import.meta.url), 'utf8');
    const [, example = ''] = /```json\n([^`]*)```/.exec(document) ?? [];
    const error = invalidArgument([{ field: 'limit', reason: 'TOO_LARGE', message: 'must be at most 100' }]);
    expect(JSON.parse(problemResponse(error, '/v1/jettons', '…').body)).toEqual(JSON.parse(example));
  });

  it('sends Retry-After with every 503 and Allow with a 405', () => {
    expect(problemResponse(new DomainError('unavailable', 'x'), '/', 'r').headers['Retry-After']).toBe('1');
    const allow = new DomainError('methodNotAllowed', 'x', { allow: ['GET', 'HEAD'] });
    expect(problemResponse(allow, '/', 'r').headers['Allow']).toBe('GET, HEAD');
  });

  it('lists all violations at once and bounds the echoed path', () => {
    const error = invalidArgument([
      { field: 'a', reason: 'MALFORMED', message: 'x' },
      { field: 'b', reason: 'MALFORMED', message: 'y' },
    ]);
    const body: unknown = JSON.parse(problemResponse(error, `/${'p'.repeat(5_000)}`, 'r').body);
    expect(body).toMatchObject({ detail: 'a: x; b: y', details: [{ field: 'a' }, { field: 'b' }] });
    expect((body as { instance: string }).instance).toHaveLength(1_024);
  });
});
