import { ServiceStatus } from '@jetton-analytics/common';

const timeoutMs = 5_000;

/** What the statistics app tells of the inputs, or undefined while it cannot yet. Throws when it answers something else. */
export async function readStatus(statisticsUrl: string): Promise<ServiceStatus | undefined> {
  let response: Response;
  try {
    response = await fetch(`${statisticsUrl}/v1/status`, { signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    return undefined; // the caller asks again; an app that has ended is seen by its supervisor
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    return undefined;
  }
  return ServiceStatus.parse(await response.json());
}
