import { describe, expect, it } from '@jest/globals';
import { readRequestText } from './request-text.js';

const NOTHING = Buffer.alloc(0);
const read = (inUrl: string, body: Buffer) => {
  const { sql, rows } = readRequestText(inUrl, body);
  return rows === undefined ? { sql } : { sql, rows: rows.toString('latin1') };
};

describe('readRequestText', () => {
  it('finds a statement in the URL, in the body, or in both', () => {
    expect(read('SELECT 1', NOTHING)).toEqual({ sql: 'SELECT 1' });
    expect(read('', Buffer.from("SELECT 'é'"))).toEqual({ sql: "SELECT 'é'" });
    expect(read('SELECT', Buffer.from('1'))).toEqual({ sql: 'SELECT\n1' });
    expect(read('INSERT INTO t VALUES', Buffer.from("('é')"))).toEqual({ sql: "INSERT INTO t VALUES\n('é')" });
  });

  it('keeps rows as the bytes they came as, wherever they stand', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0a, 0x20, 0xc3]);
    const sql = 'INSERT INTO t FORMAT RowBinary';
    const rows = bytes.toString('latin1');
    expect(read(sql, bytes)).toEqual({ sql, rows });
    expect(read('', Buffer.concat([Buffer.from(`${sql} \r\n`), bytes]))).toEqual({ sql, rows });
    expect(read('INSERT INTO t FORMAT CSV 1', Buffer.from('2'))).toEqual({
      sql: 'INSERT INTO t FORMAT CSV',
      rows: '1\n2',
    });
  });

  it('takes away one line break before rows, not two', () => {
    expect(read('', Buffer.from('INSERT INTO t FORMAT TSV\n\n1'))).toEqual({
      sql: 'INSERT INTO t FORMAT TSV',
      rows: '\n1',
    });
  });

  it('counts the head of an insert in bytes, not in characters', () => {
    expect(read('', Buffer.from('INSERT INTO `é😀` FORMAT CSV\n1'))).toEqual({
      sql: 'INSERT INTO `é😀` FORMAT CSV',
      rows: '1',
    });
  });
});
