import { InputStatus } from '@jetton-analytics/common';

export interface InputRow {
  readonly status: string;
  readonly as_of_s: number;
  readonly row_version: bigint;
}

const writtenMsMask = (1n << 48n) - 1n;
/** The leader writes once a second. */
const stalledMs = 30_000;

/** What the leader last told of the inputs. */
export class Inputs {
  #inputs: readonly { status: InputStatus; writtenMs: number }[] = [];
  #asOf: number | undefined;

  /** T as last told, Unix seconds; undefined while there is none. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** Throws SyntaxError or ZodError for a status that is not of the contract; what was told before stays. */
  update(rows: readonly InputRow[]): void {
    this.#inputs = rows.map((row) => ({
      status: InputStatus.parse(JSON.parse(row.status)),
      writtenMs: Number(row.row_version & writtenMsMask), // the low 48 bits are the writer's clock
    }));
    const asOf = rows.reduce((newest, row) => Math.max(newest, row.as_of_s), 0);
    this.#asOf = asOf === 0 ? undefined : asOf;
  }

  /** The states at an instant: one that nobody has renewed for a while is stalled, whatever it said. */
  at(nowMs: number): InputStatus[] {
    return this.#inputs.map(({ status, writtenMs }) =>
      nowMs - writtenMs > stalledMs ? { ...status, state: 'stalled' } : status,
    );
  }
}
