import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 10_000;
const PAUSE_MS = 20;

/** Asks again and again until the answer satisfies `ready`, and fails with the last answer at a deadline. */
export async function until<T>(
  ask: () => Promise<T>,
  ready: (answer: T) => boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let answer = await ask();
  while (!ready(answer)) {
    if (performance.now() > end) throw new Error(`Still not so after ${deadlineMs} ms: ${JSON.stringify(answer)}`);
    await delay(PAUSE_MS);
    answer = await ask();
  }
  return answer;
}
