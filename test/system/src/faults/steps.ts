/** What the aggregator does with a batch between poll and commit, in this order; the preload knows them by name. */
const parts = [
  'batch',
  'dead letters send',
  'ledger insert',
  'touched buckets insert',
  'jetton minutes recompute',
  'pool minutes recompute',
  'publication read',
  'publication send',
  'publication check',
  'commit',
] as const;

const allButPoll = parts.filter((part) => part !== 'batch');

/** Where a process is killed: right before a part is asked for, while it is under way, when it is acknowledged. */
export const killSteps: readonly string[] = [
  'before batch',
  ...allButPoll.flatMap((part) => [`before ${part}`, `during ${part}`, `after ${part}`]),
  'after batch',
];

/** Where a process is stopped until others have taken over, then goes on with what it was about to write. */
export const stallSteps: readonly string[] = [
  'before ledger insert',
  'before jetton minutes recompute',
  'before pool minutes recompute',
  'before publication send',
  'during publication send',
  'before publication check',
  'before commit',
];
