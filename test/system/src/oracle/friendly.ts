/** CRC-16/XMODEM, bit by bit. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** The user-friendly form of a raw address: `EQ…` for jettons and pools, `UQ…` for wallets. */
export function friendly(raw: string, kind: 'jetton' | 'pool' | 'wallet'): string {
  const [workchain = '', account = ''] = raw.split(':');
  const body = Buffer.concat([
    Buffer.from([kind === 'wallet' ? 0x51 : 0x11, Number(workchain) & 0xff]),
    Buffer.from(account, 'hex'),
  ]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16BE(crc16(body));
  return Buffer.concat([body, checksum]).toString('base64url');
}
