import { Verification, verificationAliases } from '@jetton-analytics/common';
import { AdminError } from '../admin-error.js';

const aliases: Readonly<Record<string, Verification>> = verificationAliases;

/** Reads a verification, JVS_COMMUNITY_APPROVED included. @throws AdminError */
export function readVerification(text: string): Verification {
  const parsed = Verification.safeParse(aliases[text] ?? text);
  if (parsed.success) return parsed.data;
  const known = [...Verification.options, ...Object.keys(aliases)].join(', ');
  throw new AdminError('usage', `verification: expected one of ${known}, got ${JSON.stringify(text)}`);
}
