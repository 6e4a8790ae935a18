/**
 * Runs sends side by side, at most `widthMax` at a time: enough to keep the broker busy while the next batch is made, few
 * enough to bound memory. The first failure is thrown by the next call and stops everything after it.
 */
export class SendWindow {
  private readonly underWay = new Set<Promise<void>>();
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly widthMax: number) {}

  /** Starts a send as soon as there is room for it. */
  async add(send: () => Promise<void>): Promise<void> {
    while (this.underWay.size >= this.widthMax) await Promise.race(this.underWay);
    this.throwFailure();
    const work: Promise<void> = send()
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Resolves once everything that was added is acknowledged. */
  async drain(): Promise<void> {
    await Promise.all(this.underWay);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
