import { Verification } from '@jetton-analytics/common';
import { z } from 'zod';
import type { ChangeSource } from '../follow/change-numbers.js';
import type { PostgresReader } from '../stores/postgres-reader.js';

export interface Label {
  readonly changeNumber: bigint;
  readonly address: string;
  readonly verification: Verification;
}

/** What curators say of jettons; JVS_NONE where they have said nothing. */
export class LabelTable {
  readonly #verifications = new Map<string, Verification>();
  readonly #listeners: ((address: string) => void)[] = [];

  onChange(listener: (address: string) => void): void {
    this.#listeners.push(listener);
  }

  verification(address: string): Verification {
    return this.#verifications.get(address) ?? 'JVS_NONE';
  }

  readonly apply = (labels: readonly Label[]): void => {
    for (const { address, verification } of labels) {
      if (this.verification(address) === verification) continue;
      this.#verifications.set(address, verification);
      for (const listener of this.#listeners) listener(address);
    }
  };
}

const labels = {
  name: 'labels',
  sql: `SELECT address, verification, change_number FROM jetton_labels
        WHERE change_number > $1 ORDER BY change_number LIMIT $2`,
  row: z.object({
    address: z.string(),
    verification: Verification,
    change_number: z.string().transform(BigInt),
  }),
};

/** The table of labels. */
export function labelSource(reader: PostgresReader): ChangeSource<Label> {
  return {
    rowsAfter: async (changeNumber, rowsMax) => {
      const rows = await reader.query(labels, [changeNumber.toString(), rowsMax]);
      return rows.map(({ address, verification, change_number }) => ({
        address,
        verification,
        changeNumber: change_number,
      }));
    },
  };
}
