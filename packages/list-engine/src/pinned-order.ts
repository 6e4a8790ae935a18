import type { AddressIndex } from './address-index.js';
import type { ListSource } from './list-source.js';

const format = 1;
const headerBytes = 12;
const prefixBytes = 8;

/**
 * An order as it is pinned: of every row the first eight bytes of its account id (addresses are hashes, so that is
 * enough), and its full address where two rows share them or the workchain is another one. It names jettons, not rows,
 * since rows differ between processes.
 *
 * Layout: u32 format, u32 count, u32 bytes of the full addresses, little-endian; the eight bytes of each row; JSON array of
 * [place, address].
 */
export function encodeOrder(rows: Uint32Array, source: ListSource, addresses: AddressIndex): Uint8Array {
  const full = addresses.hasUnnamed ? fullAddresses(rows, source, addresses) : [];
  const fullBytes = Buffer.from(full.length === 0 ? '' : JSON.stringify(full));
  // A buffer of its own: a slice of the shared pool would keep the pool alive.
  const bytes = Buffer.allocUnsafeSlow(headerBytes + rows.length * prefixBytes + fullBytes.length);
  bytes.writeUInt32LE(format, 0);
  bytes.writeUInt32LE(rows.length, 4);
  bytes.writeUInt32LE(fullBytes.length, 8);
  bytes.set(addresses.prefixes(rows), headerBytes);
  bytes.set(fullBytes, headerBytes + rows.length * prefixBytes);
  return bytes;
}

function fullAddresses(rows: Uint32Array, source: ListSource, addresses: AddressIndex): [number, string][] {
  const full: [number, string][] = [];
  rows.forEach((row, place) => {
    if (!addresses.isNamed(row)) full.push([place, source.address(row)]);
  });
  return full;
}

/** A pinned order, read in place. */
export class PinnedOrder {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #full: ReadonlyMap<number, string>;

  /** Throws RangeError for bytes that encodeOrder has not made. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isWhole = this.#bytes.length >= headerBytes && this.#bytes.readUInt32LE(0) === format;
    this.count = isWhole ? this.#bytes.readUInt32LE(4) : 0;
    const fullBytes = isWhole ? this.#bytes.readUInt32LE(8) : 0;
    const fullAt = headerBytes + this.count * prefixBytes;
    if (!isWhole || this.#bytes.length !== fullAt + fullBytes) throw new RangeError('not a pinned order');
    // Written by encodeOrder, so the shape is known.
    const full = fullBytes === 0 ? [] : (JSON.parse(this.#bytes.toString('utf8', fullAt)) as [number, string][]);
    this.#full = new Map(full);
  }

  /** The row at a place of the order, vanished or not; undefined where the source has never had it. */
  rowAt(place: number, addresses: AddressIndex): number | undefined {
    const address = this.#full.get(place);
    if (address !== undefined) return addresses.rowOfAddress(address);
    const at = headerBytes + place * prefixBytes;
    return addresses.rowOf(this.#bytes.readUInt32BE(at), this.#bytes.readUInt32BE(at + 4));
  }
}
