import { Address } from '@ton/core';

export type Network = 'mainnet' | 'testnet';

export type ParsedAddress =
  | { readonly ok: true; /** `<workchain>:<64 hex>`, lower-case. */ readonly raw: string }
  | { readonly ok: false; /** What is expected, for a person; it does not quote the input. */ readonly reason: string };

// Canonical workchain: no plus, no leading zeros, no -0; at most ten digits, of which only ten can leave 32 bits.
const rawAddress = /^(?:0|-?[1-9]\d{0,9}):[0-9a-fA-F]{64}$/;
const friendlyAddress = /^[A-Za-z0-9+/_-]{48}$/;
const hexDigits = 64;
const hexKind = 1;
const upperKind = 2;
/** By character code: 0 no hex digit, else whether it is an upper-case one. */
const hexKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (/[0-9a-f]/.test(String.fromCharCode(code))) return hexKind;
  return /[A-F]/.test(String.fromCharCode(code)) ? hexKind | upperKind : 0;
});
const workchainMin = -(2 ** 31);
const workchainMax = 2 ** 31 - 1;

/**
 * The raw lower-case form of a feed address (`<workchain>:<64 hex>` in either case), or undefined where it is not one:
 * user-friendly forms do not occur in the feed. The workchain is a canonical 32-bit signed integer.
 */
export function normaliseFeedAddress(text: string): string | undefined {
  // Four addresses a message: the usual one, of workchain 0, is checked in one pass, 2.5 times as fast as the pattern.
  if (text.length === hexDigits + 2 && text.charCodeAt(0) === 48 && text.charCodeAt(1) === 58) {
    let common = hexKind;
    let union = 0;
    for (let at = 2; at < hexDigits + 2; at += 1) {
      const kind = hexKinds[text.charCodeAt(at)] ?? 0;
      common &= kind;
      union |= kind;
    }
    if (common === 0) return undefined;
    return union === hexKind ? text : text.toLowerCase();
  }
  if (!rawAddress.test(text)) return undefined;
  // Two digits at most cannot leave 32 bits: true for every workchain there is.
  if (text.length > hexDigits + 3) {
    const workchain = Number(text.slice(0, -(hexDigits + 1)));
    if (workchain < workchainMin || workchain > workchainMax) return undefined;
  }
  return text.toLowerCase();
}

/**
 * Reads an address as people write it: raw in any case, or user-friendly (48 characters of base64 or base64url,
 * bounceable or not, checksum verified). Test-net forms are refused on `mainnet`. Does not throw.
 */
export function parseAddress(text: string, { network }: { network: Network }): ParsedAddress {
  if (text.includes(':')) {
    const raw = normaliseFeedAddress(text);
    return raw === undefined ? refuse('must be <workchain>:<64 hex digits>') : { ok: true, raw };
  }
  if (!friendlyAddress.test(text)) {
    return refuse('must be a raw address (<workchain>:<64 hex digits>) or a user-friendly one of 48 characters');
  }
  let parsed: ReturnType<typeof Address.parseFriendly>;
  try {
    parsed = Address.parseFriendly(text);
  } catch {
    return refuse('must be a user-friendly address whose tag and checksum are right');
  }
  if (parsed.isTestOnly && network === 'mainnet') return refuse('must not be a test-net address');
  // The codec reads the workchain's byte as unsigned, 0xff excepted; the format says signed.
  const byte = parsed.address.workChain;
  const workchain = byte > 127 ? byte - 256 : byte;
  return { ok: true, raw: `${workchain}:${parsed.address.hash.toString('hex')}` };
}

/**
 * The user-friendly form (base64url) of a raw address: bounceable for contracts (`EQ…`), not bounceable for wallets
 * (`UQ…`). The format has one byte for the workchain: an address beyond it has no such form and comes back as it is.
 * Throws an Error when `raw` is no raw address.
 */
export function toUserFriendly(
  raw: string,
  { bounceable, testOnly = false }: { bounceable: boolean; testOnly?: boolean },
): string {
  const normal = normaliseFeedAddress(raw);
  if (normal === undefined) throw new Error('toUserFriendly: not a raw address');
  const workchain = Number(normal.slice(0, -(hexDigits + 1)));
  if (workchain < -128 || workchain > 127) return normal;
  const hash = Buffer.from(normal.slice(-hexDigits), 'hex');
  return new Address(workchain, hash).toString({ urlSafe: true, bounceable, testOnly });
}

function refuse(reason: string): ParsedAddress {
  return { ok: false, reason };
}
