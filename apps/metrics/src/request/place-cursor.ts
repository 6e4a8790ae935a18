import { hash } from 'node:crypto';
import { CursorSigner } from '@jetton-analytics/list-engine';
import { invalidArgument, type Violation } from '@jetton-analytics/service';

type Place = readonly (string | number)[];

const printBytes = 16;
const invalid: Violation = { field: 'cursor', reason: 'CURSOR_INVALID', message: 'is not a cursor of this service' };
const foreign: Violation = { field: 'cursor', reason: 'CURSOR_MISMATCH', message: 'was made for other filters' };

/**
 * Cursors that carry a place in an order that never changes, so that nothing has to be remembered for them. A cursor is
 * signed and tells what it was made for: it serves that walk alone, whichever replica it comes to.
 */
export class PlaceCursors {
  readonly #signer: CursorSigner;

  /** `secret` is CURSOR_SECRET. Throws RangeError for one of fewer than 32 characters. */
  constructor(secret: string) {
    this.#signer = new CursorSigner(secret);
  }

  /** `walk` says what is walked: the list, its jetton and filters, without the limit. */
  write(walk: unknown, place: Place): string {
    return this.#signer.sign(Buffer.concat([printOf(walk), Buffer.from(JSON.stringify(place))]));
  }

  /**
   * The place of a cursor, as it was written. Throws DomainError (invalidArgument): CURSOR_INVALID for what was not
   * written here, CURSOR_MISMATCH for a cursor of another walk.
   */
  read(walk: unknown, cursor: string): Place {
    const payload = this.#signer.verify(cursor);
    if (payload === undefined) throw invalidArgument([invalid]);
    if (!payload.subarray(0, printBytes).equals(printOf(walk))) throw invalidArgument([foreign]);
    // `write` made what carries the print of this walk.
    return JSON.parse(payload.subarray(printBytes).toString()) as Place;
  }

  /** What is wrong with a cursor as far as it tells without its walk. */
  check(cursor: string): Violation | undefined {
    return this.#signer.verify(cursor) === undefined ? invalid : undefined;
  }
}

const printOf = (walk: unknown): Buffer => hash('sha256', JSON.stringify(walk), 'buffer').subarray(0, printBytes);
