const raw = /^(0|-1):[0-9a-f]{64}$/;

/** The lower-case raw form of an address written as `0:<64 hex>` or `-1:<64 hex>`, or undefined. */
export function rawAddress(text: string): string | undefined {
  const lower = text.toLowerCase();
  return raw.test(lower) ? lower : undefined;
}

/** `EQ…` as the lower-case raw form: tag byte, workchain byte, 32 bytes, checksum (not looked at). */
export function fromUserFriendly(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 36) throw new Error(`not a user-friendly address: ${text}`);
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`;
}
