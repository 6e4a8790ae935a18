import { nextToken, type Token } from './tokens.js';

/** What the server needs to know of a statement; everything else is the engine's to parse. */
export interface Statement {
  kind: 'read' | 'write' | 'empty';
  /** The statement leaves something in the session that runs it: SET, USE, a temporary table. */
  leavesState: boolean;
  /** More than one statement in the text. */
  multiple: boolean;
  /** The output format its own FORMAT clause names. */
  format?: string;
  insert?: InsertHead;
}

/** An INSERT whose rows are data in a format rather than a query. */
interface InsertHead {
  format: string;
  /** Where the SETTINGS or FORMAT clause begins, so that FROM INFILE goes before it. */
  clauseStart: number;
  /** End of the format's name. Inline rows, if any, follow. */
  end: number;
  /** Table and columns, where they are plain names and no SETTINGS stand between. */
  plain?: { table: string; columns?: string[] };
}

const READS = new Set([
  'SELECT',
  'WITH',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXISTS',
  'EXPLAIN',
  'CHECK',
  'FROM',
  'VALUES',
  '(',
]);
const SESSION = new Set(['SET', 'USE']);

/** Classifies SQL text by one pass over its tokens; it stops where inline rows begin. */
export function readStatement(sql: string): Statement {
  const first = nextToken(sql, 0);
  if (first === undefined) return { kind: 'empty', leavesState: false, multiple: false };
  const verb = upper(sql, first);
  if (verb === 'INSERT') {
    const insert = readInsertHead(sql, first.end);
    if (insert !== undefined)
      return { kind: 'write', leavesState: false, multiple: false, format: insert.format, insert };
  }
  const statement: Statement = {
    kind: READS.has(verb) ? 'read' : 'write',
    leavesState: SESSION.has(verb),
    multiple: false,
  };
  let depth = 0;
  let ended = false;
  for (let token: Token | undefined = first; token !== undefined; token = nextToken(sql, token.end)) {
    if (ended) return { ...statement, multiple: true };
    if (token.kind === 'symbol') {
      const symbol = sql[token.start];
      if (symbol === '(') depth += 1;
      else if (symbol === ')') depth -= 1;
      else if (symbol === ';') ended = true;
    } else if (token.kind === 'word') {
      const word = upper(sql, token);
      // INSERT ... VALUES carries rows of its own, which may hold anything.
      if (word === 'VALUES' && verb === 'INSERT' && depth === 0) return statement;
      if (word === 'TEMPORARY') statement.leavesState = true;
      if (word === 'INSERT' && verb === 'WITH') statement.kind = 'write';
      if (word === 'FORMAT' && depth === 0) {
        const name = nextToken(sql, token.end);
        if (name?.kind === 'word' && endsClause(sql, name.end)) statement.format = sql.slice(name.start, name.end);
      }
    }
  }
  return statement;
}

// A column may be called format: the clause is the one that nothing but SETTINGS follows.
function endsClause(sql: string, at: number): boolean {
  const next = nextToken(sql, at);
  return next === undefined || sql[next.start] === ';' || upper(sql, next) === 'SETTINGS';
}

function readInsertHead(sql: string, from: number): InsertHead | undefined {
  const head: Token[] = [];
  let settingsStart: number | undefined;
  let depth = 0;
  for (let token = nextToken(sql, from); token !== undefined; token = nextToken(sql, token.end)) {
    const symbol = token.kind === 'symbol' ? sql[token.start] : undefined;
    if (symbol === '(') depth += 1;
    if (symbol === ')') depth -= 1;
    if (symbol === ';') return undefined;
    if (token.kind === 'word' && depth === 0) {
      const word = upper(sql, token);
      if (word === 'SELECT' || word === 'WITH' || word === 'VALUES' || word === 'INFILE') return undefined;
      if (word === 'SETTINGS') settingsStart ??= token.start;
      if (word === 'FORMAT') {
        const name = nextToken(sql, token.end);
        if (name?.kind !== 'word') return undefined;
        const plain = settingsStart === undefined ? readTarget(sql, head) : undefined;
        const format = sql.slice(name.start, name.end);
        const insert = { format, clauseStart: settingsStart ?? token.start, end: name.end };
        return format.toUpperCase() === 'VALUES' ? undefined : plain === undefined ? insert : { ...insert, plain };
      }
    }
    head.push(token);
  }
  return undefined;
}

/** `[INTO] [TABLE] name[.name] [(name, ...)]`, or undefined when anything else stands there. */
function readTarget(sql: string, tokens: Token[]): InsertHead['plain'] {
  const rest = [...tokens];
  for (const optional of ['INTO', 'TABLE']) if (rest[0] !== undefined && upper(sql, rest[0]) === optional) rest.shift();
  const table = [plainName(sql, rest.shift())];
  if (rest[0] !== undefined && sql[rest[0].start] === '.') {
    rest.shift();
    table.push(plainName(sql, rest.shift()));
  }
  if (table.includes(undefined)) return undefined;
  if (rest.length === 0) return { table: table.join('.') };
  if (symbolAt(sql, rest.shift()) !== '(' || symbolAt(sql, rest.pop()) !== ')') return undefined;
  const columns: string[] = [];
  for (const [index, token] of rest.entries()) {
    if (index % 2 === 1) {
      if (symbolAt(sql, token) !== ',') return undefined;
      continue;
    }
    const name = plainName(sql, token);
    if (name === undefined) return undefined;
    columns.push(name);
  }
  return columns.length === 0 ? undefined : { table: table.join('.'), columns };
}

function plainName(sql: string, token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return asPlain(sql.slice(token.start, token.end));
  if (token?.kind === 'identifier') return asPlain(sql.slice(token.start + 1, token.end - 1));
  return undefined;
}

const asPlain = (name: string) => (/^[A-Za-z0-9_]+$/.test(name) ? name : undefined);
const symbolAt = (sql: string, token: Token | undefined) => (token?.kind === 'symbol' ? sql[token.start] : undefined);
const upper = (sql: string, token: Token) => sql.slice(token.start, token.end).toUpperCase();
