import { ServiceStatus } from '@jetton-analytics/common';
import { AdminError } from '../admin-error.js';

const timeoutMs = 10_000;

/** GET /v1/status of a gateway. @throws AdminError where it does not answer, or not with a status */
export async function gatewayStatus(base: string): Promise<ServiceStatus> {
  const url = new URL('/v1/status', base);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    body = await response.json();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new AdminError('unavailable', `${url.href}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (!response.ok) throw new AdminError('unavailable', `${url.href} answered ${response.status}`);
  const status = ServiceStatus.safeParse(body);
  if (status.success) return status.data;
  throw new AdminError('refused', `${url.href} did not answer with a status of this service`);
}
