import { type Assets } from '@jetton-analytics/feed';
import { JettonMetadata } from '@jetton-analytics/postgres';
import { withDatabase } from '../database.js';
import type { Session } from '../session.js';

export interface KnownDecimals {
  readonly value: number;
  readonly source: 'settings' | 'metadata' | 'default';
}

const decimalsWithoutMetadata = 9;

/** Decimals of a jetton as a calculation takes them. Source: docs/statistics.md, "Words". */
export async function decimalsOf(session: Session, assets: Assets, jetton: string): Promise<KnownDecimals> {
  const set = assets.decimalsOf(jetton);
  if (set !== undefined) return { value: set, source: 'settings' };
  const metadata = await withDatabase(session, (database) =>
    database.manager.findOne(JettonMetadata, { where: { address: jetton }, select: { address: true, decimals: true } }),
  );
  const value = metadata?.decimals ?? undefined;
  return value === undefined ? { value: decimalsWithoutMetadata, source: 'default' } : { value, source: 'metadata' };
}
