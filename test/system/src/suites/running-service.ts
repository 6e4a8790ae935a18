import { createHash } from 'node:crypto';
import type { AppProcess } from '../support/app-process.js';
import type { Deployment } from '../support/deployment.js';
import type { RoundRobin } from '../support/round-robin.js';
import type { ServiceClient } from '../support/service-client.js';

/** Two replicas of each query app behind a gateway, over a market that moves. */
export interface RunningService {
  readonly deployment: Deployment;
  readonly client: ServiceClient;
  readonly replicas: { readonly statistics: readonly AppProcess[]; readonly metrics: readonly AppProcess[] };
  readonly balancers: { readonly statistics: RoundRobin; readonly metrics: RoundRobin };
  /** A key of the plan `pro`, made before anything was asked. */
  readonly key: string;
}

/** Makes a key by the admin's tool. From now on neither it nor its hash may be written by any app. */
export async function newKey(deployment: Deployment, plan: string): Promise<{ key: string; id: string }> {
  const issued = await deployment.admin<{ key: string; id: string }>(
    'keys',
    'create',
    '--owner',
    'carol',
    '--plan',
    plan,
  );
  const hash = createHash('sha256').update(issued.key).digest();
  const forms = (['hex', 'base64', 'base64url'] as const).map((form) => hash.toString(form));
  deployment.leaks.add(issued.key.slice('ja_live_'.length), ...forms);
  return issued;
}
