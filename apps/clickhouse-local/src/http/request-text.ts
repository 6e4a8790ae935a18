import { readStatement, type Statement } from '../sql/statement.js';

/** A statement and, for an INSERT with rows in a format, those rows as the bytes they came as. */
export interface RequestText {
  sql: string;
  statement: Statement;
  rows?: Buffer;
}

// Far more than the head of any INSERT: its table, columns and settings.
const HEAD_BYTES_MAX = 64 * 1024;

/**
 * Finds the statement in a request, where it may stand in the URL, in the body, or begin in one and go on in the other.
 * Rows are never decoded: they may be binary.
 */
export function readRequestText(inUrl: string, body: Buffer): RequestText {
  const head = inUrl === '' ? body.toString('utf8', 0, HEAD_BYTES_MAX) : inUrl;
  const statement = readStatement(head);
  if (statement.insert !== undefined) {
    const sql = head.slice(0, statement.insert.end);
    const inline = inUrl === '' ? body.subarray(Buffer.byteLength(sql)) : Buffer.from(inUrl.slice(sql.length));
    const rows = inline.subarray(rowsStart(inline));
    if (inUrl === '' || body.length === 0) return { sql, statement, rows };
    return { sql, statement, rows: rows.length === 0 ? body : Buffer.concat([rows, Buffer.from('\n'), body]) };
  }
  if (inUrl !== '' && body.length === 0) return { sql: inUrl, statement };
  const sql = inUrl === '' ? body.toString('utf8') : `${inUrl}\n${body.toString('utf8')}`;
  return { sql, statement: sql === head ? statement : readStatement(sql) };
}

/** Rows begin after the blanks that follow the format's name and at most one line break, as the engine has it. */
function rowsStart(text: Buffer): number {
  let at = 0;
  while (text[at] === 0x20 || text[at] === 0x09 || text[at] === 0x0c) at += 1;
  if (text[at] === 0x0d) at += 1;
  if (text[at] === 0x0a) at += 1;
  return at;
}
