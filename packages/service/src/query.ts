import type { Violation } from './domain-error.js';

export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

const shownCharsMax = 64;
const suggestionDistanceMax = 3;

/** Decodes one part of a query; undefined where its percent-encoding is broken. A plus is a space, as in forms. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The parameters of a request target in the order given, repeated ones too; parts with broken percent-encoding are
 * violations. Throws nothing.
 */
export function readQuery(url: string): { parameters: QueryParameter[]; violations: Violation[] } {
  const parameters: QueryParameter[] = [];
  const violations: Violation[] = [];
  const start = url.indexOf('?');
  const parts = start < 0 ? [] : url.slice(start + 1).split('&');
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals < 0 ? part : part.slice(0, equals);
    const name = decodePart(rawName);
    const value = decodePart(equals < 0 ? '' : part.slice(equals + 1));
    if (name !== undefined && value !== undefined) parameters.push({ name, value });
    else {
      const field = (name ?? rawName).slice(0, shownCharsMax);
      violations.push({ field, reason: 'MALFORMED', message: 'is not validly percent-encoded' });
    }
  }
  return { parameters, violations };
}

/**
 * A violation for every parameter that is not `known`, with the nearest known name; names that begin with `_` are cache
 * busters and ignored. A typo must never look like success.
 */
export function unknownParameters(parameters: readonly QueryParameter[], known: readonly string[]): Violation[] {
  const names = new Set(parameters.map(({ name }) => name));
  return [...names]
    .filter((name) => !name.startsWith('_') && !known.includes(name))
    .map((name) => {
      const nearest = nearestOf(name, known);
      return {
        field: name.slice(0, shownCharsMax),
        reason: 'UNKNOWN_FIELD',
        message: nearest === undefined ? 'unknown parameter' : `unknown parameter, did you mean ${nearest}?`,
      };
    });
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const short = name.slice(0, shownCharsMax).toLowerCase();
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(short, candidate.toLowerCase());
    if (distance < Math.min(best?.distance ?? Infinity, suggestionDistanceMax + 1)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Levenshtein distance by the two-row method. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
