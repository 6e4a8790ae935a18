type TokenKind = 'word' | 'string' | 'identifier' | 'heredoc' | 'symbol';

/** A lexical element of SQL as the half-open range [start, end) of the text. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
}

const isSpace = (code: number) => code <= 32 || code === 0xa0 || code === 0xfeff;
const isWordStart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0x80;
const isWordPart = (code: number) => isWordStart(code) || (code >= 48 && code <= 57) || code === 36;

/** Position of the first character at or after `at` that is neither white space nor part of a comment. */
function skipBlanks(sql: string, at: number): number {
  let i = at;
  while (i < sql.length) {
    if (isSpace(sql.charCodeAt(i))) i += 1;
    else if (sql.startsWith('--', i) || sql.startsWith('#!', i) || sql.startsWith('# ', i)) {
      const newline = sql.indexOf('\n', i);
      i = newline === -1 ? sql.length : newline + 1;
    } else if (sql.startsWith('/*', i)) i = endOfBlockComment(sql, i);
    else return i;
  }
  return i;
}

/** The token at or after `at`, or undefined at the end. An unterminated quote runs to the end of the text. */
export function nextToken(sql: string, at: number): Token | undefined {
  const start = skipBlanks(sql, at);
  if (start >= sql.length) return undefined;
  const code = sql.charCodeAt(start);
  if (code === 39) return { kind: 'string', start, end: endOfQuoted(sql, start, 39) };
  if (code === 96 || code === 34) return { kind: 'identifier', start, end: endOfQuoted(sql, start, code) };
  if (code === 36) {
    const end = endOfHeredoc(sql, start);
    if (end !== undefined) return { kind: 'heredoc', start, end };
  }
  if (isWordPart(code)) {
    let end = start + 1;
    while (end < sql.length && isWordPart(sql.charCodeAt(end))) end += 1;
    return { kind: 'word', start, end };
  }
  return { kind: 'symbol', start, end: start + 1 };
}

// The engine nests block comments.
function endOfBlockComment(sql: string, start: number): number {
  let depth = 0;
  let i = start;
  while (i < sql.length) {
    if (sql.startsWith('/*', i)) depth += 1;
    else if (sql.startsWith('*/', i)) depth -= 1;
    else {
      i += 1;
      continue;
    }
    i += 2;
    if (depth === 0) return i;
  }
  return sql.length;
}

// Both a backslash and a doubled quote escape a quote.
function endOfQuoted(sql: string, start: number, quote: number): number {
  let i = start + 1;
  while (i < sql.length) {
    const code = sql.charCodeAt(i);
    if (code === 92) i += 2;
    else if (code !== quote) i += 1;
    else if (sql.charCodeAt(i + 1) === quote) i += 2;
    else return i + 1;
  }
  return sql.length;
}

function endOfHeredoc(sql: string, start: number): number | undefined {
  const tag = /^\$\w*\$/.exec(sql.slice(start, start + 256))?.[0];
  if (tag === undefined) return undefined;
  const close = sql.indexOf(tag, start + tag.length);
  return close === -1 ? undefined : close + tag.length;
}
