const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A single-quoted SQL literal that the engine reads back as exactly `text`. */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll(/[\\'\0\b\f\n\r\t]/g, (char) => ESCAPES[char] ?? char)}'`;
}

/** A quoted identifier that the engine reads back as exactly `name`. */
export function identifierLiteral(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether `name` may stand in SQL as it is: the name of a setting or of a query parameter. */
export const isName = (name: string) => NAME.test(name);
