import type { Verification } from '@jetton-analytics/common';
import { JettonLabel } from '@jetton-analytics/postgres';
import type { Database } from '../database.js';
import { whileNobodyLabels } from './label-lock.js';

export interface LabelSetting {
  readonly address: string;
  readonly verification: Verification;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
  readonly dryRun: boolean;
}

export interface LabelSet {
  readonly from: string;
  readonly to: string;
  /** False where the label said so already: then nothing is recorded either. */
  readonly changed: boolean;
}

/** Labels one jetton, whatever it was labelled before. */
export function setLabel(database: Database, setting: LabelSetting): Promise<LabelSet> {
  const { address, verification, by, reason, nowMs, dryRun } = setting;
  return whileNobodyLabels(database, async (manager) => {
    const label = await manager.findOneBy(JettonLabel, { address });
    const from = label?.verification ?? 'JVS_NONE';
    const changed = label === null || from !== verification;
    if (changed && !dryRun) {
      const row = { address, verification, setBy: by, setAt: new Date(nowMs), reason };
      if (label === null) await manager.insert(JettonLabel, row);
      else await manager.update(JettonLabel, { address }, row);
    }
    return { from, to: verification, changed };
  });
}
