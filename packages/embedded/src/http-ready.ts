/** Whether a GET of this URL answers 200 within the deadline. */
export async function answersHttp(url: string, timeoutMs = 2_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false; // not listening yet, or too busy to answer: the caller asks again until its own deadline
  }
}
