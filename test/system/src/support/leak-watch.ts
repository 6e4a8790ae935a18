/** Looks for texts that no app may write. */
export class LeakWatch {
  readonly #secrets = new Set<string>();
  readonly found: string[] = [];
  lines = 0;

  /** From now on no line may hold the text. */
  add(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  see(line: string): void {
    this.lines += 1;
    for (const secret of this.#secrets) if (line.includes(secret)) this.found.push(line);
  }
}
