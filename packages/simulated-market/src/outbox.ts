import type { MarketState, PendingRecord, RecordKind } from './market-state.js';
import { PendingQueue } from './pending-queue.js';
import type { Random } from './random.js';

/** A record of the feed: no key, the value as JSON text. */
export interface MarketRecord {
  readonly kind: RecordKind;
  readonly value: string;
  /** Kafka timestamp, Unix ms. */
  readonly timestampMs: number;
  /** Counts the records of its kind from 0: by it they are spread over partitions. */
  readonly sequence: number;
}

export type OutboxState = Pick<MarketState, 'sequences' | 'pending' | 'pendingOrder'>;

/** Beyond this many nothing more is held back: what a stranger's delay may cost in memory has a bound. */
export const pendingMax = 5000;

const dayMs = 86_400_000;
const lateChance = 0.005;
const repeatChance = 0.01;

/** Records on their way: those that are due in order of their time, those that come late in a bounded queue. */
export class Outbox {
  private readonly pending: PendingQueue<PendingRecord>;
  private due: MarketRecord[] = [];
  private readonly sequences: Record<RecordKind, number>;

  /** Counts what was ever held back. */
  private order: number;

  constructor(state?: OutboxState) {
    this.sequences = { trades: 0, pools: 0, jettonMetadata: 0, balances: 0, ...state?.sequences };
    this.pending = new PendingQueue(state?.pending);
    this.order = state?.pendingOrder ?? 0;
  }

  get nextPendingMs(): number {
    return this.pending.nextMs;
  }

  get dueCount(): number {
    return this.due.length;
  }

  state(): OutboxState {
    return { sequences: { ...this.sequences }, pending: [...this.pending.items()], pendingOrder: this.order };
  }

  takeDue(): MarketRecord[] {
    const { due } = this;
    this.due = [];
    return due;
  }

  send(kind: RecordKind, value: string, timestampMs: number): void {
    const sequence = this.sequences[kind];
    this.sequences[kind] = sequence + 1;
    this.due.push({ kind, value, timestampMs, sequence });
  }

  /** Sends the record that has waited longest past its time. */
  sendPending(): void {
    const record = this.pending.pop();
    if (record) this.send(record.kind, record.value, record.atMs);
  }

  sendLater(kind: RecordKind, value: string, atMs: number): void {
    if (this.pending.size >= pendingMax) return;
    this.pending.push({ atMs: Math.floor(atMs), order: this.order, kind, value });
    this.order += 1;
  }

  /** As best-effort delivery has it: most in time, some minutes to days late, some twice. */
  deliver(kind: RecordKind, value: string, timestampMs: number, random: Random): void {
    const isLate = random.chance(lateChance) && this.pending.size < pendingMax;
    const arrivalMs = isLate ? timestampMs + random.logBetween(60_000, 3 * dayMs) : timestampMs;
    if (isLate) this.sendLater(kind, value, arrivalMs);
    else this.send(kind, value, arrivalMs);
    if (random.chance(repeatChance)) {
      this.sendLater(
        kind,
        value,
        arrivalMs + (random.chance(0.5) ? random.below(2000) : random.logBetween(1000, 3_600_000)),
      );
    }
  }
}
