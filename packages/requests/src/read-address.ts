import { type Network, parseAddress } from '@jetton-analytics/feed';
import type { Violations } from './violations.js';

/** The raw form of an address as people write it; undefined where it is none, which is then among the violations. */
export function readAddress(text: string, field: string, network: Network, violations: Violations): string | undefined {
  // Standard base64 has a plus, which careless encoders turn into a space.
  const given = text.replaceAll(' ', '+');
  const parsed = parseAddress(given, { network });
  if (parsed.ok) return parsed.raw;
  const otherNetwork = parseAddress(given, { network: 'testnet' }).ok;
  violations.add(field, otherNetwork ? 'WRONG_NETWORK' : 'MALFORMED_ADDRESS', parsed.reason);
  return undefined;
}

const hexHash = /^[0-9a-fA-F]{64}$/;
const base64Hash = /^[0-9A-Za-z+/_-]{43}=?$/;

/** A transaction's hash as lower-case hex; undefined where the text is none. */
export function readHash(text: string): string | undefined {
  if (hexHash.test(text)) return text.toLowerCase();
  const given = text.replaceAll(' ', '+');
  // Buffer reads base64url too.
  return base64Hash.test(given) ? Buffer.from(given, 'base64').toString('hex') : undefined;
}
