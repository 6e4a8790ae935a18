import type { TextParameter, ViolationReason } from '@jetton-analytics/common';

const controlCharacter = /\p{Cc}/u;

/** Trims a text and checks its length in code points. Source: docs/http-api.md, "Filters and sorting". */
export function readText(
  text: string,
  { charsMin, charsMax }: TextParameter,
  fail: (reason: ViolationReason, message: string) => undefined,
): string | undefined {
  if (!text.isWellFormed()) return fail('MALFORMED', 'must not have lone surrogates');
  if (controlCharacter.test(text)) return fail('MALFORMED', 'must not have control characters');
  const trimmed = text.trim();
  const length = countCodePoints(trimmed);
  if (length < charsMin) return fail('TOO_SHORT', `must have at least ${charsMin} characters`);
  if (length > charsMax) return fail('TOO_LONG', `must have at most ${charsMax} characters`);
  return trimmed;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
