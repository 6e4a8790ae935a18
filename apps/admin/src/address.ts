import { networkSettings, parseAddress } from '@jetton-analytics/feed';
import { loadSettings } from '@jetton-analytics/service/process';
import { z } from 'zod';
import { AdminError } from './admin-error.js';
import type { Session } from './session.js';

const NetworkEnv = z.object(networkSettings);

/** The raw form of an address given on the command line in any form. @throws AdminError */
export function rawAddress(session: Session, name: string, text: string): string {
  const parsed = parseAddress(text, { network: loadSettings(NetworkEnv, session.env).NETWORK });
  if (!parsed.ok) throw new AdminError('usage', `${name}: ${parsed.reason}`);
  return parsed.raw;
}
