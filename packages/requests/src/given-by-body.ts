import type { RequestContract } from '@jetton-analytics/common';
import { unknownParameters } from '@jetton-analytics/service';
import { leavesOf, type Given } from './given.js';
import { JsonError, type JsonValue, parseJson } from './json.js';
import type { Value } from './values.js';
import type { Violations } from './violations.js';

type JsonObject = Extract<JsonValue, { type: 'object' }>;

/** Known names at one level of the body, and what lies below those that are objects. */
interface Level {
  readonly children: Map<string, Level>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What a body carries: a JSON object, nested at the dots of the flattened names. Duplicate keys, unknown fields and
 * anything that is not the object it should be are violations; names that begin with `_` are ignored, as in a query.
 * Source: docs/http-api.md, "Encoding".
 */
export function givenByBody(body: Uint8Array, request: RequestContract, violations: Violations): Given {
  const given = new Map<string, Value>();
  const root = readRoot(body, violations);
  if (root !== undefined) new Walk(given, violations).object(root, '', levelsOf(request));
  return given;
}

function readRoot(body: Uint8Array, violations: Violations): JsonObject | undefined {
  let root: JsonValue;
  try {
    root = parseJson(utf8.decode(body));
  } catch (error) {
    // The decoder throws a TypeError for what is not UTF-8.
    const message = error instanceof JsonError ? error.message : 'is not UTF-8';
    violations.add('body', 'MALFORMED', message);
    return undefined;
  }
  if (root.type === 'object') return root;
  violations.add('body', 'WRONG_TYPE', 'must be a JSON object');
  return undefined;
}

function levelsOf(request: RequestContract): Level {
  const root: Level = { children: new Map() };
  for (const name of leavesOf(request).keys()) {
    let level = root;
    for (const step of name.split('.')) {
      const next = level.children.get(step) ?? { children: new Map() };
      level.children.set(step, next);
      level = next;
    }
  }
  return root;
}

class Walk {
  constructor(
    readonly given: Map<string, Value>,
    readonly violations: Violations,
  ) {}

  object(value: JsonObject, prefix: string, { children }: Level): void {
    const seen = new Set<string>();
    const known = [...children.keys()];
    for (const [key, child] of value.entries) {
      if (this.violations.isFull) return;
      const path = prefix + key;
      const level = children.get(key);
      if (seen.has(key)) this.violations.add(path, 'DUPLICATE', 'must be given once');
      else if (level === undefined) this.#unknown(key, prefix, known);
      else if (level.children.size === 0) this.given.set(path, child);
      else if (child.type === 'object') this.#inner(child, path, level);
      else this.violations.add(path, 'WRONG_TYPE', 'must be an object');
      seen.add(key);
    }
  }

  #inner(value: JsonObject, path: string, level: Level): void {
    this.object(value, `${path}.`, level);
    // An amount without its decimals is one of 0 decimals, and one with nothing in it is none.
    const isAmount = level.children.has('value');
    if (isAmount && !this.given.has(`${path}.value`) && !this.given.has(`${path}.decimals`)) {
      this.violations.add(`${path}.value`, 'REQUIRED', 'is required in an amount');
    }
  }

  #unknown(key: string, prefix: string, known: readonly string[]): void {
    const [violation] = unknownParameters([{ name: key, value: '' }], known);
    if (violation === undefined) return;
    const message = violation.message.replace('parameter', 'field');
    this.violations.add(prefix + key, violation.reason, message);
  }
}
