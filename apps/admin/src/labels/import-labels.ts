import type { Verification } from '@jetton-analytics/common';
import { JettonLabel } from '@jetton-analytics/postgres';
import type { Database } from '../database.js';
import { whileNobodyLabels } from './label-lock.js';

export interface LabelImport {
  /** Raw, each once. */
  readonly addresses: readonly string[];
  readonly verification: Verification;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
  /** Replace what was set otherwise; without it such labels stay. */
  readonly overwrite: boolean;
  readonly dryRun: boolean;
}

interface OtherLabel {
  readonly address: string;
  readonly verification: string;
  readonly setBy: string;
  readonly setAt: string;
}

export interface LabelImportResult {
  readonly added: number;
  readonly unchanged: number;
  /** Labels that said otherwise and were replaced. */
  readonly replaced: readonly OtherLabel[];
  /** Labels that say otherwise and were left as they are. */
  readonly kept: readonly OtherLabel[];
}

const rowsPerStatement = 1_000;

/**
 * Labels all addresses in one transaction. A jetton that somebody has labelled otherwise keeps its label, unless
 * `overwrite` is set: an import that runs by schedule must not undo what a curator has decided. Repeating it changes
 * nothing.
 */
export function importLabels(database: Database, options: LabelImport): Promise<LabelImportResult> {
  return whileNobodyLabels(database, async (manager) => {
    const { addresses, verification, by, reason, nowMs, overwrite, dryRun } = options;
    const labels = await manager
      .createQueryBuilder(JettonLabel, 'label')
      .where('label.address = ANY(:addresses)', { addresses })
      .orderBy('label.address')
      .getMany();
    const known = new Set(labels.map(({ address }) => address));
    const others = labels.filter((label) => label.verification !== verification);
    const added = addresses.filter((address) => !known.has(address));
    const written = overwrite ? [...added, ...others.map(({ address }) => address)] : added;
    if (!dryRun) {
      const setAt = new Date(nowMs);
      for (let start = 0; start < written.length; start += rowsPerStatement) {
        await manager
          .createQueryBuilder()
          .insert()
          .into(JettonLabel)
          .values(
            written
              .slice(start, start + rowsPerStatement)
              .map((address) => ({ address, verification, setBy: by, setAt, reason })),
          )
          .orUpdate(['verification', 'set_by', 'set_at', 'reason'], ['address'])
          .updateEntity(false)
          .execute();
      }
    }
    const shown = others.map((label) => ({
      address: label.address,
      verification: label.verification,
      setBy: label.setBy,
      setAt: label.setAt.toISOString(),
    }));
    return {
      added: added.length,
      unchanged: labels.length - others.length,
      replaced: overwrite ? shown : [],
      kept: overwrite ? [] : shown,
    };
  });
}
