/**
 * One string object for equal texts: an address comes in with every row that names it, and is kept in many places. It
 * holds as many texts as there are addresses in the stores.
 */
export class Interner {
  readonly #texts = new Map<string, string>();

  readonly of = (text: string): string => {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  };
}
