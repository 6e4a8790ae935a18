/** Where the service and the oracle differ, counted by place and field, with some examples. */
export class Findings {
  readonly #compared = new Map<string, number>();
  readonly #differences = new Map<string, number>();
  readonly #examples: string[] = [];

  compared(place: string, count = 1): void {
    this.#compared.set(place, (this.#compared.get(place) ?? 0) + count);
  }

  differs(place: string, key: string, field: string, found: unknown, expected: unknown): void {
    const name = `${place} ${field}`;
    const count = (this.#differences.get(name) ?? 0) + 1;
    this.#differences.set(name, count);
    if (count <= 3) this.#examples.push(`${name} of ${key}: ${String(found)}, expected ${String(expected)}`);
  }

  equal(place: string, key: string, field: string, found: string | undefined, expected: string | undefined): void {
    if (found !== expected) this.differs(place, key, field, found, expected);
  }

  /** Takes in what another comparison found. */
  include(other: Findings): void {
    for (const [place, count] of other.#compared) this.compared(place, count);
    for (const [name, count] of other.#differences) {
      this.#differences.set(name, (this.#differences.get(name) ?? 0) + count);
    }
    this.#examples.push(...other.#examples);
  }

  get count(): number {
    return [...this.#differences.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Differences of anything but versions, the figures themselves. */
  get figures(): number {
    const ofFigures = [...this.#differences].filter(([name]) => !/ (version|revision)$/.test(name));
    return ofFigures.reduce((sum, [, count]) => sum + count, 0);
  }

  get rows(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#compared);
  }

  get differences(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#differences);
  }

  get examples(): readonly string[] {
    return this.#examples;
  }
}
