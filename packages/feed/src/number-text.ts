const quote = 34;
const backslash = 92;
const comma = 44;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/**
 * The text of a top-level JSON number of which JSON.parse has made `value`, exactly as it stands in the message: a
 * double holds neither 2^53 + 1 nor 0.1, and even 1.0000000000000000001 becomes a clean 1.
 * `text` must be valid JSON whose top level is an object with the number under `key`.
 */
export function numberTextOf(text: string, key: string, value: number): string {
  return isPlainInteger(text, key, value) ? String(value) : scanNumberText(text, key);
}

/**
 * Proves cheaply, without a walk through the message, that the number is written as plain digits, so that `value` is
 * exact: without a backslash no key can hide behind an escape, and a quoted key that occurs once is the one that
 * JSON.parse has read. False proves nothing. Takes what `numberTextOf` takes.
 */
export function isPlainInteger(text: string, key: string, value: number): boolean {
  if (!Number.isSafeInteger(value) || text.includes('\\')) return false;
  const quoted = `"${key}"`;
  const at = text.indexOf(quoted);
  if (text.includes(quoted, at + 1)) return false;
  const colon = at + quoted.length;
  const digits = String(value);
  let start = colon + 1;
  if (text.charCodeAt(start) <= 32) start += 1;
  if (text.charCodeAt(colon) !== 58 || !text.startsWith(digits, start)) return false;
  const after = text.charCodeAt(start + digits.length);
  return after === comma || after === closeBrace || after <= 32;
}

/**
 * Walks the top level once. Not JSON.parse with a reviver: that recurses, and a message nested a hundred thousand deep
 * would end in a RangeError.
 */
function scanNumberText(text: string, key: string): string {
  let found = '';
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at);
    const isKey = JSON.parse(text.slice(at, keyEnd)) === key;
    at = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, at);
    // The last of duplicate keys wins, as in JSON.parse.
    if (isKey) found = text.slice(at, end);
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1);
  }
  return found;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Takes the place of an opening quote, gives the place after the closing one. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return endOfString(text, from);
  if (first !== openBrace && first !== openBracket) {
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === comma || code === closeBrace || code <= 32) return at;
      at += 1;
    }
  }
  let depth = 0;
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (code === openBrace || code === openBracket) depth += 1;
    if (code === closeBrace || code === closeBracket) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
}
