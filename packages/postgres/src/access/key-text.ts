import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const lead = 'ja_live_';
const secretChars = 32;
const checksumChars = 6;
const prefixChars = lead.length + 8;
const keyChars = lead.length + secretChars + checksumChars;
const form = new RegExp(`^${lead}[0-9A-Za-z]{${secretChars + checksumChars}}$`);
/** The greatest multiple of 62 that a byte can reach: bytes beyond it would favour the first digits. */
const evenBytes = 248;

/** Six base62 digits of the CRC-32 of what stands before: a typo is told without asking any store. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let place = 0; place < checksumChars; place += 1) {
    sum = `${digits[rest % digits.length] ?? ''}${sum}`;
    rest = Math.floor(rest / digits.length);
  }
  return sum;
}

/** A new key: `ja_live_`, 32 base62 characters of the system's randomness (190 bits), 6 of checksum. */
export function newKeyText(): string {
  let secret = '';
  while (secret.length < secretChars) {
    for (const byte of randomBytes(secretChars)) {
      if (byte < evenBytes && secret.length < secretChars) secret += digits[byte % digits.length] ?? '';
    }
  }
  return `${lead}${secret}${checksumOf(lead + secret)}`;
}

/** Whether a text has the form of a key and its checksum holds. Says nothing of whether the key was ever given out. */
export function isKeyText(text: string): boolean {
  if (text.length !== keyChars || !form.test(text)) return false;
  return checksumOf(text.slice(0, -checksumChars)) === text.slice(-checksumChars);
}

/** What of a key may be shown: enough to tell keys apart, too little to guess the rest. */
export const keyPrefixOf = (key: string): string => key.slice(0, prefixChars);

/** SHA-256 of a key: all that is stored of it. */
export const keyHashOf = (key: string): Buffer => hash('sha256', key, 'buffer');
