/** A member of a JSON object's top level; places are in the text it was found in. */
export interface Member {
  readonly key: string;
  /** Of the key's opening quote. */
  readonly start: number;
  readonly valueStart: number;
  /** After the value's last character. */
  readonly end: number;
}

const quote = 34;
const backslash = 92;
const comma = 44;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/**
 * The members of an object's top level in order, repeated keys included. `text` must be valid JSON whose top level is an
 * object. Not by JSON.parse and back: a number of a hundred digits, or written `1E+3`, must stay as it is written.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = [];
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === quote) {
    const start = at;
    const keyEnd = endOfString(text, start);
    const quoted = text.slice(start, keyEnd);
    const key = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
    const valueStart = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.push({ key, start, valueStart, end });
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
  }
  return members;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** A quote ends the string unless it comes after an odd number of backslashes. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return endOfString(text, from);
  if (first === openBrace || first === openBracket) return endOfNested(text, from);
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeBrace || code <= 32) return at;
    at += 1;
  }
}

function endOfNested(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (code === openBrace || code === openBracket) depth += 1;
    if (code === closeBrace || code === closeBracket) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}
