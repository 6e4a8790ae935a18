import type { Ping } from '@jetton-analytics/common';
import { invalidArgument, readQuery, unknownParameters } from '@jetton-analytics/service';

/** The body of `GET /v1/system/ping`. Throws DomainError (invalidArgument) for any parameter. */
export function ping(url: string, nowMs: number): Buffer {
  const { parameters, violations } = readQuery(url);
  const [first, ...rest] = [...violations, ...unknownParameters(parameters, [])];
  if (first !== undefined) throw invalidArgument([first, ...rest]);
  const answer: Ping = { message: 'pong', time: `${new Date(nowMs).toISOString().slice(0, 19)}Z` };
  return Buffer.from(JSON.stringify(answer));
}
