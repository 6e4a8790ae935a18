import { describe, expect, it } from '@jest/globals';
import { readStatement } from './statement.js';

describe('readStatement', () => {
  it.each([
    ['SELECT 1', 'read'],
    ['-- note\n/* a /* nested */ b */ select 1', 'read'],
    ['(SELECT 1) UNION ALL (SELECT 2)', 'read'],
    ['WITH 1 AS a SELECT a', 'read'],
    ['EXPLAIN SELECT 1', 'read'],
    ['SHOW TABLES', 'read'],
    ['DESCRIBE TABLE t', 'read'],
    ['INSERT INTO t SELECT 1', 'write'],
    ['WITH 1 AS a INSERT INTO t SELECT a', 'write'],
    ['CREATE TABLE t (a UInt8) ENGINE = Log', 'write'],
    ['OPTIMIZE TABLE t FINAL', 'write'],
    ['', 'empty'],
    [' \n-- only a note', 'empty'],
  ])('tells what %j does to the data', (sql, kind) => {
    expect(readStatement(sql).kind).toBe(kind);
  });

  it.each(['SET max_threads = 1', 'USE other', 'CREATE TEMPORARY TABLE t (a UInt8)', 'DROP TEMPORARY TABLE t'])(
    'knows that %j leaves something in its session',
    (sql) => {
      expect(readStatement(sql).leavesState).toBe(true);
    },
  );

  it.each([
    ['SELECT 1; SELECT 2', true],
    ['SELECT 1;', false],
    ['SELECT 1; -- end', false],
    [`SELECT ';', ";", \`;\`, 'it''s;', 'a\\';', $x$;$x$ /* ; */ -- ;`, false],
    [`SELECT 'open ; SELECT 2`, false],
    [`INSERT INTO t VALUES ('a;b'); `, false],
  ])('finds more than one statement in %j: %j', (sql, multiple) => {
    expect(readStatement(sql).multiple).toBe(multiple);
  });

  it.each([
    ['SELECT 1 FORMAT JSON', 'JSON'],
    ['SELECT 1 \nformat JSONEachRow;', 'JSONEachRow'],
    ['SELECT 1 FORMAT CSV SETTINGS max_threads = 1', 'CSV'],
    ['SELECT format FROM t', undefined],
    ["SELECT format('{}', a) FROM t", undefined],
    ['SELECT * FROM (SELECT 1 FORMAT JSON)', undefined],
    ['SELECT 1 -- FORMAT JSON', undefined],
  ])('reads the output format of %j', (sql, format) => {
    expect(readStatement(sql).format).toBe(format);
  });
});

describe('the head of an INSERT', () => {
  it.each([
    ['INSERT INTO t FORMAT CSV', { table: 't' }],
    ['insert into table db.t format CSV', { table: 'db.t' }],
    ['INSERT INTO `db`."t" (`a`, b,c) FORMAT CSV', { table: 'db.t', columns: ['a', 'b', 'c'] }],
    ['INSERT INTO t (a) FORMAT CSV\n1;SELECT', { table: 't', columns: ['a'] }],
  ])('is plain in %j', (sql, plain) => {
    expect(readStatement(sql).insert?.plain).toEqual(plain);
  });

  it.each([
    'INSERT INTO `odd name` FORMAT CSV',
    'INSERT INTO t (`odd name`) FORMAT CSV',
    'INSERT INTO t (* EXCEPT (a)) FORMAT CSV',
    'INSERT INTO t SETTINGS async_insert = 0 FORMAT CSV',
    'INSERT INTO FUNCTION file(x) FORMAT CSV',
    'INSERT INTO {t:Identifier} FORMAT CSV',
    'INSERT INTO t () FORMAT CSV',
    'INSERT INTO t (a b) FORMAT CSV',
  ])('is left to the engine in %j', (sql) => {
    expect(readStatement(sql).insert).toMatchObject({ format: 'CSV' });
    expect(readStatement(sql).insert?.plain).toBeUndefined();
  });

  it('says where a file clause belongs and where rows begin', () => {
    const sql = 'INSERT INTO t (a) SETTINGS x = 1 FORMAT RowBinary\n;;';
    const insert = readStatement(sql).insert;
    expect(sql.slice(0, insert?.clauseStart)).toBe('INSERT INTO t (a) ');
    expect(sql.slice(insert?.end)).toBe('\n;;');
  });

  it.each([
    'INSERT INTO t SELECT 1 FORMAT CSV',
    'INSERT INTO t VALUES (1)',
    'INSERT INTO t FORMAT Values (1)',
    "INSERT INTO t FROM INFILE 'x' FORMAT CSV",
  ])('is not one with rows of its own in %j', (sql) => {
    expect(readStatement(sql).insert).toBeUndefined();
  });
});
