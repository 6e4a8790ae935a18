import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where a walk goes on: a pinned order and a place in it. */
export interface Cursor {
  /** 32 hex digits. */
  readonly pinId: string;
  readonly createdAtMs: number;
  /** 32 hex digits. */
  readonly fingerprint: string;
  readonly place: number;
}

const version = 1;
const idBytes = 16;
const timeBytes = 6;
const payloadBytes = 1 + idBytes + timeBytes + idBytes + 4;
const signatureBytes = 16;
const secretCharsMin = 32;
const base64url = /^[A-Za-z0-9_-]+$/;

/** Makes and checks signed texts that clients carry from one answer to the next request. */
export class CursorSigner {
  readonly #key: Buffer;

  /** Throws RangeError for a secret of fewer than 32 characters. */
  constructor(secret: string) {
    if (secret.length < secretCharsMin)
      throw new RangeError(`a cursor secret has at least ${secretCharsMin} characters`);
    this.#key = createHmac('sha256', secret).update('jetton-analytics cursor').digest();
  }

  /** The payload and its signature as URL-safe text. */
  sign(payload: Uint8Array): string {
    return Buffer.concat([payload, this.#signatureOf(payload)]).toString('base64url');
  }

  /** The payload of a text that `sign` has made with the same secret; undefined for anything else. */
  verify(text: string): Buffer | undefined {
    if (!base64url.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // A text has one spelling only: the last character of another one may carry bits that decoding drops.
    if (bytes.length <= signatureBytes || bytes.toString('base64url') !== text) return undefined;
    const payload = bytes.subarray(0, -signatureBytes);
    return timingSafeEqual(bytes.subarray(-signatureBytes), this.#signatureOf(payload)) ? payload : undefined;
  }

  #signatureOf(payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest().subarray(0, signatureBytes);
  }
}

/** A cursor as text: 79 characters. */
export function writeCursor(signer: CursorSigner, { pinId, createdAtMs, fingerprint, place }: Cursor): string {
  const payload = Buffer.alloc(payloadBytes);
  let at = payload.writeUInt8(version, 0);
  at += payload.write(pinId, at, 'hex');
  at = payload.writeUIntBE(createdAtMs, at, timeBytes);
  at += payload.write(fingerprint, at, 'hex');
  payload.writeUInt32BE(place, at);
  return signer.sign(payload);
}

/** A cursor from its text; undefined where it is altered or foreign. */
export function readCursor(signer: CursorSigner, text: string): Cursor | undefined {
  const payload = signer.verify(text);
  if (payload === undefined || payload.length !== payloadBytes || payload[0] !== version) return undefined;
  const timeAt = 1 + idBytes;
  const fingerprintAt = timeAt + timeBytes;
  return {
    pinId: payload.toString('hex', 1, timeAt),
    createdAtMs: payload.readUIntBE(timeAt, timeBytes),
    fingerprint: payload.toString('hex', fingerprintAt, fingerprintAt + idBytes),
    place: payload.readUInt32BE(payloadBytes - 4),
  };
}
