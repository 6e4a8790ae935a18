const gap = '  ';
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Strings of strangers reach the terminal: nothing in them may move its cursor or hide what stands beside them.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text without anything a terminal would act on. */
export const printable = (text: string): string => text.replace(unprintable, '·');

const widthOf = (text: string): number => [...letters.segment(text)].length;

/** Lines of a table: a head, then the rows, columns padded to the widest cell. Cells are made printable. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join(gap)
      .trimEnd(),
  );
}

/** Lines of names and values. */
export function fields(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}${gap}${printable(value)}`.trimEnd());
}
