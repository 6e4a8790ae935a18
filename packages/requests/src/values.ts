import type { JsonValue } from './json.js';

/** A value of a request in either form. Text of a query may stand for a value of any kind. */
export type Value = JsonValue | { readonly type: 'text'; readonly value: string } | QueryArray;

/** An array of a query: its elements after splitting. */
interface QueryArray {
  readonly type: 'array';
  readonly items: readonly Value[];
}

/** The text of a value that is one, in either form. */
export function textOf(value: Value): string | undefined {
  return value.type === 'text' || value.type === 'string' ? value.value : undefined;
}
