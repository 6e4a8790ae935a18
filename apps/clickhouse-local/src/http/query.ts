import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../engine/engine-error.js';
import type { EngineBounds } from '../engine/engine.js';
import type { StatementContext } from '../engine/session-state.js';
import { isName } from '../sql/literal.js';
import type { Statement } from '../sql/statement.js';
import { readMultipart } from './multipart.js';
import { readRequestText } from './request-text.js';

const LANES = ['read', 'write', 'snapshot', 'background'] as const;
export type LaneName = (typeof LANES)[number];

// Both ways of naming a lane mean nothing to a real server, so that a program may use them with either.
const LANE_COMMENT = /^lane=(\w+)/;

/** A request to run one statement, free of HTTP. */
export interface Query {
  sql: string;
  statement: Statement;
  /** Rows of an INSERT in a format. */
  rows?: Buffer;
  context: StatementContext;
  /** Output format unless the statement names one. */
  defaultFormat: string;
  lane: LaneName;
}

// Parameters of the HTTP interface that are no settings of the engine.
const INTERFACE_PARAMS = new Set(
  'query query_id default_format database user password quota_key wait_end_of_query buffer_size stacktrace'.split(' '),
);
const UNSUPPORTED_PARAMS = ['session_id', 'session_check', 'session_timeout', 'role', 'compress', 'decompress'];
// What the engine knows but only a server would act on; this one does so itself.
const TRANSPORT_SETTINGS = /^(?:enable_http_compression|send_progress_in_http_headers|http_.*|cancel_http_.*)$/;

/** @throws EngineError when the request asks for something this server does not do, or holds no statement. */
export function readQuery(
  method: string,
  params: URLSearchParams,
  headers: IncomingHttpHeaders,
  body: Buffer,
  bounds: EngineBounds,
): Query {
  refuseUnsupported(params);
  const contentType = headers['content-type'] ?? '';
  const parts = contentType.startsWith('multipart/form-data') ? readMultipart(contentType, body) : undefined;
  const inBody = parts === undefined ? body : Buffer.from(parts.get('query') ?? '');
  const { sql, statement, rows } = readRequestText(params.get('query') ?? '', inBody);
  if (statement.kind === 'empty') throw new EngineError(62, 'SYNTAX_ERROR', 'Empty query');
  if (statement.multiple) throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error: Multi-statements are not allowed');
  if (method === 'GET' && statement.kind === 'write')
    throw new EngineError(164, 'READONLY', 'Cannot execute query in readonly mode: send it by POST');
  const context = readContext(params, parts, headers, bounds);
  return {
    sql,
    statement,
    context,
    defaultFormat: params.get('default_format') ?? header(headers, 'x-clickhouse-format') ?? 'TabSeparated',
    lane: laneOf(statement, headers, context),
    ...(rows && { rows }),
  };
}

function readContext(
  params: URLSearchParams,
  parts: Map<string, string> | undefined,
  headers: IncomingHttpHeaders,
  bounds: EngineBounds,
): StatementContext {
  const settings = new Map<string, string>();
  const bound = new Map<string, string>();
  for (const [name, value] of [...params, ...(parts ?? [])]) {
    if (name.startsWith('param_')) {
      const param = name.slice('param_'.length);
      if (!isName(param)) throw new EngineError(36, 'BAD_ARGUMENTS', `Bad name of a query parameter: ${param}`);
      bound.set(param, value);
    } else if (parts?.has(name) === true && name !== 'query')
      throw new EngineError(
        48,
        'NOT_IMPLEMENTED',
        `External data (part ${name}) is not supported by this local server`,
      );
    else if (!INTERFACE_PARAMS.has(name) && !TRANSPORT_SETTINGS.test(name)) {
      if (!isName(name)) throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
      settings.set(name, value);
    }
  }
  lower(settings, 'max_execution_time', bounds.statementSecondsMax);
  lower(settings, 'max_memory_usage', bounds.statementMemoryBytesMax);
  lower(settings, 'max_memory_usage_for_user', bounds.memoryBytesMax);
  lower(settings, 'max_result_bytes', bounds.resultBytesMax);
  const database = params.get('database') ?? header(headers, 'x-clickhouse-database') ?? 'default';
  return { settings, params: bound, database: database === '' ? 'default' : database };
}

/** Zero means no bound to the engine, so it stands for the greatest there is here. */
function lower(settings: Map<string, string>, name: string, max: number): void {
  const wanted = Number(settings.get(name));
  if (wanted === 0 || wanted > max) settings.delete(name);
}

function laneOf(statement: Statement, headers: IncomingHttpHeaders, context: StatementContext): LaneName {
  const asked = header(headers, 'x-clickhouse-local-lane');
  const named = LANES.find(
    (lane) => lane === (asked ?? LANE_COMMENT.exec(context.settings.get('log_comment') ?? '')?.[1]),
  );
  if (named !== undefined) return named;
  if (asked !== undefined) throw new EngineError(36, 'BAD_ARGUMENTS', `There is no lane ${asked}: ${LANES.join(', ')}`);
  return statement.kind === 'read' ? 'read' : 'write';
}

function refuseUnsupported(params: URLSearchParams): void {
  for (const name of UNSUPPORTED_PARAMS) {
    const value = params.get(name);
    if (value === null || value === '' || value === '0') continue;
    throw new EngineError(48, 'NOT_IMPLEMENTED', `The parameter ${name} is not supported by this local server`);
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
