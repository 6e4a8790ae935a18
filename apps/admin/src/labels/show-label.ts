import { JettonLabel, JettonLabelChange } from '@jetton-analytics/postgres';
import type { Database } from '../database.js';

interface LabelState {
  readonly verification: string;
  readonly setBy: string;
  readonly setAt: string;
  readonly reason: string;
}

export interface LabelHistory {
  readonly label: LabelState | undefined;
  /** Newest first. */
  readonly history: readonly (LabelState & { readonly changeNumber: string })[];
}

const changesMax = 1_000;

const stateOf = ({ verification, setBy, setAt, reason }: JettonLabel | JettonLabelChange): LabelState => ({
  verification,
  setBy,
  setAt: setAt.toISOString(),
  reason,
});

/** What a jetton is labelled, and its last thousand changes. */
export async function showLabel(database: Database, address: string): Promise<LabelHistory> {
  const [label, changes] = await Promise.all([
    database.manager.findOneBy(JettonLabel, { address }),
    database.manager.find(JettonLabelChange, { where: { address }, order: { changeNumber: 'DESC' }, take: changesMax }),
  ]);
  return {
    label: label === null ? undefined : stateOf(label),
    history: changes.map((change) => ({ changeNumber: change.changeNumber, ...stateOf(change) })),
  };
}
