import type { Step } from '@jetton-analytics/figures';
import type { KafkaLogger } from '@jetton-analytics/kafka';
import type { Instant, StepSnapshots } from '../snapshots/step-snapshots.js';

/** What a step's loop asks before and after each snapshot. */
export interface StepLoopOptions {
  readonly step: Step;
  readonly stepSeconds: number;
  readonly snapshots: Pick<StepSnapshots, 'last' | 'hasNewFacts' | 'take'>;
  readonly logger: KafkaLogger;
  readonly signal: AbortSignal;
  /** A clock that only rises, ms. */
  nowMs(): number;
  /** The instant of a snapshot taken now; undefined: there is no T yet. */
  instant(stepSeconds: number): Instant | undefined;
  /** Whether a backlog is being consumed: snapshots then leave most of the time to it. */
  isCatchingUp(): boolean;
  /** Resolves at the next change of T or of positions, or after `timeoutMs`. */
  changed(timeoutMs: number): Promise<void>;
  assertLeading(): void;
  /** Does a snapshot's work among that of the other steps. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Called after each published snapshot. */
  onTaken(instant: Instant): void;
}

const idleMs = 250;
const catchUpRestMs = 30_000;
const backoffMs = 1_000;
// The ledger changes just before C moves on: a snapshot in between would hold up the one that is waited for.
const aboutToMoveMs = 1_000;

/**
 * Takes the snapshots of one step while the leadership lasts: when C moves on, and also when only the ledger changed. A
 * snapshot that took long is followed by a pause as long. During a backlog, where each begins anew, the pause is nineteen
 * times as long, and they begin at least half a minute apart.
 */
export async function runStepLoop(options: StepLoopOptions): Promise<void> {
  const { step, snapshots, signal, logger } = options;
  let lastStartMs = -Infinity;
  let lastTookMs = 0;
  while (!signal.aborted) {
    const now = options.nowMs();
    const sinceLastMs = now - lastStartMs;
    const rest = options.isCatchingUp() ? Math.max(lastTookMs * 20, catchUpRestMs) : lastTookMs * 2;
    const instant = sinceLastMs < rest ? undefined : dueInstant(options, sinceLastMs);
    if (instant === undefined) {
      await options.changed(idleMs);
      continue;
    }
    lastStartMs = now;
    try {
      const taken = await options.during(() => snapshots.take(instant, () => options.assertLeading()));
      options.onTaken(instant);
      lastTookMs = options.nowMs() - now;
      logger.debug({ step, ...taken, tookMs: Math.round(lastTookMs) }, 'snapshot published');
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ step, err: error }, 'the snapshot failed; the next one begins anew');
      await options.changed(backoffMs);
      lastTookMs = backoffMs;
    }
  }
}

function dueInstant(options: StepLoopOptions, sinceLastMs: number): Instant | undefined {
  const { snapshots, stepSeconds } = options;
  const next = options.instant(stepSeconds);
  const since = { lastMs: sinceLastMs, hasNewFacts: snapshots.hasNewFacts };
  return next !== undefined && isDue(next, snapshots.last, since, stepSeconds) ? next : undefined;
}

/**
 * Whether a snapshot of `next` says more than the last one: C has moved on or, where it has not within a step and a second,
 * the ledger or the facts that prices rest on. `since`: what happened since the last one.
 */
export function isDue(
  next: Instant,
  last: Instant | undefined,
  since: { readonly lastMs: number; readonly hasNewFacts: boolean },
  stepSeconds: number,
): boolean {
  if (last === undefined || next.calculatedAt > last.calculatedAt) return true;
  const ledgerChanged = [...next.positions].some(([partition, position]) => last.positions.get(partition) !== position);
  const wasRebuilt = next.rebuilds !== last.rebuilds;
  return (ledgerChanged || wasRebuilt || since.hasNewFacts) && since.lastMs >= stepSeconds * 1_000 + aboutToMoveMs;
}
