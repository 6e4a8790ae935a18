type Yaml = string | number | boolean | undefined | readonly Yaml[] | { readonly [key: string]: Yaml };

const plainKey = /^[A-Za-z][\w.-]*$/;

/** Block YAML of plain data; texts are quoted as in JSON, what is undefined is left out. */
export const yamlOf = (value: Yaml): string => `${linesOf(value, 0).join('\n')}\n`;

function linesOf(value: Yaml, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (isList(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = isBlock(item) ? linesOf(item, depth + 1) : [scalar(item)];
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  if (typeof value !== 'object') return [indent + scalar(value)];
  return Object.entries(value).flatMap(([key, child]) => {
    if (child === undefined) return [];
    const name = plainKey.test(key) ? key : JSON.stringify(key);
    return isBlock(child)
      ? [`${indent}${name}:`, ...linesOf(child, depth + 1)]
      : [`${indent}${name}: ${scalar(child)}`];
  });
}

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value);

const isBlock = (value: Yaml): boolean => typeof value === 'object' && Object.keys(value).length > 0;

function scalar(value: Yaml): string {
  if (isList(value)) return '[]';
  if (typeof value === 'object') return '{}';
  return JSON.stringify(value);
}
