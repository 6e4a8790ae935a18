import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './engine/engine.js';
import type { EngineSession, QueryResult, StatementCounts } from './engine/engine-session.js';
import { asRawFormat } from './http/formats.js';
import type { Query } from './http/query.js';
import { stringLiteral } from './sql/literal.js';

// max_execution_time is checked between blocks; a statement that has not noticed by then is ended from outside.
const KILL_GRACE_MS = 2_000;
const KILL_AGAIN_MS = 500;

/** Runs a query on a session. `signal` ends a statement that only reads; one that writes is never cut off half-way. */
export async function runQuery(
  query: Query,
  session: EngineSession,
  engine: Engine,
  rowsFolder: string,
  signal: AbortSignal,
): Promise<QueryResult> {
  const { insert } = query.statement;
  if (insert === undefined || query.rows === undefined) return runStatement(query, session, engine, signal);
  if (query.rows.length === 0) return { ...NOTHING, body: EMPTY };
  const format = asRawFormat(insert.format);
  if (insert.plain === undefined || format === undefined) return insertByFile(query, query.rows, session, rowsFolder);
  const counts = await session.insert({ ...insert.plain, format, rows: query.rows }, query.context);
  return { ...counts, body: EMPTY };
}

async function runStatement(
  query: Query,
  session: EngineSession,
  engine: Engine,
  signal: AbortSignal,
): Promise<QueryResult> {
  const { sql, statement, context } = query;
  if (statement.insert !== undefined || statement.leavesState)
    return session.query(sql, query.defaultFormat, context, statement.leavesState);
  // The comment is how a running statement is found again.
  const tag = `/*local ${randomUUID()}*/`;
  const end = repeatedly(() => engine.kill(tag));
  const watchdog = setTimeout(end.start, engine.bounds.statementSecondsMax * 1000 + KILL_GRACE_MS);
  if (statement.kind === 'read') signal.addEventListener('abort', end.start, { once: true });
  try {
    return await session.query(`${tag}${sql}`, query.defaultFormat, context, false);
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', end.start);
    end.stop();
  }
}

/** A statement that has only just been handed to the engine is not there to be killed yet, so one attempt may miss it. */
function repeatedly(kill: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  const attempt = () => {
    kill().catch((error: unknown) => console.error(`A statement could not be ended: ${String(error)}`));
  };
  return {
    start: () => {
      attempt();
      timer ??= setInterval(attempt, KILL_AGAIN_MS);
    },
    stop: () => clearInterval(timer),
  };
}

// Binary formats cannot stand inside the statement's text.
async function insertByFile(
  query: Query,
  rows: Buffer,
  session: EngineSession,
  rowsFolder: string,
): Promise<QueryResult> {
  const { sql, statement, context } = query;
  const at = statement.insert?.clauseStart ?? sql.length;
  const path = join(rowsFolder, randomUUID());
  await writeFile(path, rows);
  try {
    const from = `${sql.slice(0, at)} FROM INFILE ${stringLiteral(path)} COMPRESSION 'none' ${sql.slice(at)}`;
    const result = await session.query(from, 'Null', context, false);
    return { ...result, rowsWritten: result.rowsRead, bytesWritten: result.bytesRead, body: EMPTY };
  } finally {
    await rm(path, { force: true });
  }
}

const EMPTY = new Uint8Array(0);
const NOTHING: StatementCounts = { rowsRead: 0, bytesRead: 0, rowsWritten: 0, bytesWritten: 0, elapsedSeconds: 0 };
