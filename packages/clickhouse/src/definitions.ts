import type { z } from 'zod';

/** A SELECT with its name, bound parameters and row: everything there is to know about it stands together. */
export interface QueryDefinition<Params extends z.ZodType, Row extends z.ZodType> {
  readonly name: string;
  /** Every value is a bound parameter `{name:Type}`; no FORMAT clause. */
  readonly sql: string;
  readonly params: Params;
  /** One row as JSONEachRow gives it: 64-bit and wider integers and decimals are text. */
  readonly row: Row;
}

/** A SELECT of very many rows, which are read by hand from RowBinary. */
export interface BinaryQueryDefinition<Params extends z.ZodType> {
  readonly name: string;
  /** Every value is a bound parameter `{name:Type}`; no FORMAT clause. */
  readonly sql: string;
  readonly params: Params;
  /** Name and type of every column of the result, as the server prints them: rows of any other form are refused. */
  readonly columns: readonly (readonly [name: string, type: string])[];
}

/** A statement without a result, e.g. INSERT … SELECT. */
export interface CommandDefinition<Params extends z.ZodType> {
  readonly name: string;
  readonly sql: string;
  readonly params: Params;
}

/** Rows for one table, given as arrays in the order of `columns`. */
export interface InsertDefinition<Row extends readonly unknown[]> {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly [string, ...string[]];
  /** Never set: carries the row type. */
  readonly row?: Row;
}

export function defineQuery<Params extends z.ZodType, Row extends z.ZodType>(
  definition: QueryDefinition<Params, Row>,
): QueryDefinition<Params, Row> {
  return definition;
}

export function defineBinaryQuery<Params extends z.ZodType>(
  definition: BinaryQueryDefinition<Params>,
): BinaryQueryDefinition<Params> {
  return definition;
}

export function defineCommand<Params extends z.ZodType>(
  definition: CommandDefinition<Params>,
): CommandDefinition<Params> {
  return definition;
}

export function defineInsert<Row extends readonly unknown[]>(definition: InsertDefinition<Row>): InsertDefinition<Row> {
  return definition;
}
