import { parseAddress, type Network } from '@jetton-analytics/feed';
import { z } from 'zod';
import { AdminError } from '../admin-error.js';

export interface CuratedList {
  readonly entries: number;
  /** Raw, each once, in the order of the list. */
  readonly addresses: readonly string[];
}

const problemsShownMax = 50;
const Entry = z.object({ address: z.string() });

function problemOf(entry: unknown, network: Network): { raw: string } | { problem: string } {
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) return { problem: 'expected an object with a text field "address"' };
  const address = parseAddress(parsed.data.address.trim(), { network });
  return address.ok ? { raw: address.raw } : { problem: `address: ${address.reason}` };
}

/**
 * Reads a curated list: a JSON array of objects, of which only `address` (in any form) is used. All or nothing.
 * @throws AdminError that names each wrong entry by its index, the first fifty of them
 */
export function parseCuratedList(text: string, network: Network): CuratedList {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new AdminError('usage', `the list is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(list)) throw new AdminError('usage', 'the list must be a JSON array of objects with an "address"');
  const addresses = new Set<string>();
  const problems: string[] = [];
  let wrong = 0;
  for (const [index, entry] of list.entries()) {
    const read = problemOf(entry, network);
    if ('raw' in read) addresses.add(read.raw);
    else {
      wrong += 1;
      if (problems.length < problemsShownMax) problems.push(`entry ${index}: ${read.problem}`);
    }
  }
  if (wrong > 0) {
    const more = wrong > problems.length ? [`and ${wrong - problems.length} more`] : [];
    throw new AdminError('usage', `${wrong} of ${list.length} entries are wrong, nothing was imported`, [
      ...problems,
      ...more,
    ]);
  }
  return { entries: list.length, addresses: [...addresses] };
}
