/** The index behind the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * The members of a JSON object with the text of each value exactly as it was written (so that no digit of a number is
 * lost). The last of duplicate keys wins. The text must already have passed JSON.parse as an object.
 */
export function jsonMembers(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  let valueStart = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (depth === 1 && key !== undefined && (character === ',' || character === '}')) {
      members.set(key, json.slice(valueStart, at).trim());
      key = undefined;
    }
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && key === undefined) {
        key = JSON.parse(json.slice(at, end)) as string;
        valueStart = json.indexOf(':', end) + 1;
      }
      at = end - 1; // the loop steps on
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return members;
}
