import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EngineError, toEngineError } from '../engine/engine-error.js';
import type { Engine } from '../engine/engine.js';
import type { EngineSession } from '../engine/engine-session.js';
import { DroppedError, type Lane, LaneFullError } from '../lane.js';
import { runQuery } from '../run-query.js';
import type { SpaceGuard } from '../space-guard.js';
import { authenticate, type Credentials, refuseBrowsers } from './auth.js';
import { type BodyBudget, readBody } from './body.js';
import { type LaneName, readQuery } from './query.js';
import { respondError, respondResult } from './respond.js';

/** Everything a request is answered with. */
export interface Serving {
  engine: Engine;
  space: SpaceGuard;
  lanes: Record<LaneName, Lane<EngineSession>>;
  credentials: Credentials;
  bodyBytesMax: number;
  budget: BodyBudget;
  /** Folder for the rows of inserts in binary formats while they are read. */
  rowsFolder: string;
  /** Whether new statements are refused because the server is stopping. */
  stopping: () => boolean;
}

// A query with many parameters in its URL; ClickHouse's http_max_uri_size.
const HEADER_BYTES_MAX = 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/** An HTTP server that speaks ClickHouse's interface. It does not listen yet. */
export function createHttpServer(serving: Serving): Server {
  const server = createServer(
    { maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      void serve(request, response, serving);
    },
  );
  return server;
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const [path = '/', search = ''] = splitOnce(request.url ?? '/', '?');
  const params = new URLSearchParams(search);
  const accepted = params.get('enable_http_compression') === '1' ? request.headers['accept-encoding'] : undefined;
  response.setHeader('X-ClickHouse-Server-Display-Name', 'clickhouse-local');
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  if (path === '/ping' || path === '/replicas_status') {
    response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
    response.end('Ok.\n');
    return;
  }
  response.setHeader('X-ClickHouse-Query-Id', headerSafe(params.get('query_id')) ?? randomUUID());
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    await answer(path, params, request, response, serving, accepted, gone.signal);
  } catch (error) {
    if (gone.signal.aborted || error instanceof DroppedError || response.headersSent) response.destroy();
    else {
      // What is left of an unread body would be taken for the next request.
      if (!request.complete) response.setHeader('Connection', 'close');
      await respondError(response, asEngineError(error), serving.engine.version, accepted);
    }
  }
}

async function answer(
  path: string,
  params: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
  accepted: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  refuseBrowsers(request.headers);
  authenticate(request.headers, params, serving.credentials);
  if (path !== '/') throw new EngineError(36, 'BAD_ARGUMENTS', `There is no resource ${path}: /, /ping`);
  if (request.method !== 'GET' && request.method !== 'POST')
    throw new EngineError(48, 'NOT_IMPLEMENTED', `The method ${request.method ?? ''} is not supported`);
  if (serving.stopping()) throw new EngineError(439, 'CANNOT_SCHEDULE_TASK', 'The server is stopping');
  const body = await readBody(request, serving.bodyBytesMax, serving.budget);
  try {
    const query = readQuery(request.method, params, request.headers, body, serving.engine.bounds);
    const { engine, space, rowsFolder } = serving;
    const work = (session: EngineSession) => space.run(() => runQuery(query, session, engine, rowsFolder, signal));
    const result = await serving.lanes[query.lane].run(work, signal);
    await respondResult(response, result, query.statement.format ?? query.defaultFormat, accepted);
  } finally {
    serving.budget.give(body.length);
  }
}

function asEngineError(error: unknown): EngineError {
  if (error instanceof LaneFullError)
    return new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many statements are waiting. Try again later.');
  return toEngineError(error);
}

// A query id is the client's text; what cannot stand in a header is not echoed.
const headerSafe = (text: string | null) => (text !== null && /^[\x20-\x7e]{1,256}$/.test(text) ? text : undefined);

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
