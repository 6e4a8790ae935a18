/** A JSON value that keeps what JSON.parse loses: the text of numbers and every one of duplicate keys. */
export type JsonValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'array'; readonly items: readonly JsonValue[] }
  | { readonly type: 'object'; readonly entries: readonly (readonly [string, JsonValue])[] };

/** Why a text is no JSON, for a person. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

// Our requests nest four deep; the bound keeps hostile ones off the stack.
const depthMax = 32;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Everything up to the closing quote; whether it is a string and what it means is left to JSON.parse.
const stringToken = /"(?:[^"\\]|\\.)*"/sy;
const blanks = /[ \t\n\r]*/y;
const words = [
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['null', { type: 'null' }],
] as const;

/** Reads a whole text as JSON (RFC 8259). Throws JsonError where it is not, or nests deeper than 32. */
export function parseJson(text: string): JsonValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  #at = 0;

  constructor(readonly text: string) {}

  value(depth: number): JsonValue {
    if (depth > depthMax) throw new JsonError(`is nested deeper than ${depthMax}`);
    this.#take(blanks);
    const first = this.text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return { type: 'string', value: this.#string() };
    for (const [word, value] of words) {
      if (this.text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const number = this.#take(numberToken);
    if (number === '') throw this.#unexpected();
    return { type: 'number', text: number };
  }

  end(): void {
    this.#take(blanks);
    if (this.#at < this.text.length) throw this.#unexpected();
  }

  #object(depth: number): JsonValue {
    const entries: (readonly [string, JsonValue])[] = [];
    this.#at += 1;
    if (this.#skip('}')) return { type: 'object', entries };
    for (;;) {
      this.#take(blanks);
      const key = this.#string();
      if (!this.#skip(':')) throw this.#unexpected();
      entries.push([key, this.value(depth + 1)]);
      if (this.#skip('}')) return { type: 'object', entries };
      if (!this.#skip(',')) throw this.#unexpected();
    }
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#at += 1;
    if (this.#skip(']')) return { type: 'array', items };
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#skip(']')) return { type: 'array', items };
      if (!this.#skip(',')) throw this.#unexpected();
    }
  }

  #string(): string {
    const token = this.#take(stringToken);
    if (token === '') throw this.#unexpected();
    try {
      return String(JSON.parse(token));
    } catch (error) {
      throw new JsonError('has a string that is not valid JSON', { cause: error });
    }
  }

  /** Takes what the sticky pattern matches here; '' where it does not. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.text)?.[0] ?? '';
    this.#at += token.length;
    return token;
  }

  #skip(character: string): boolean {
    this.#take(blanks);
    if (this.text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(): JsonError {
    return new JsonError(`is not valid JSON at character ${this.#at}`);
  }
}
