import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { spawnNodeApp, type ManagedProcess } from '@jetton-analytics/embedded';
import { pollUntil } from '@jetton-analytics/testing';
import { signalTo } from './signal-to.js';

const preload = pathToFileURL(fileURLToPath(new URL('aggregator-faults.mjs', import.meta.url))).href;
const linesMax = 200;
const restartMs = 200;

/** Debian's package libfaketime. */
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const isFakeTime = existsSync(fakeTime);

/** Of a process whose clock goes `shiftMs` ahead; by the preload where the library is not installed. */
function clockEnv(shiftMs: number): Readonly<Record<string, string>> {
  if (shiftMs === 0) return {};
  if (!isFakeTime) return { FAULT_CLOCK_MS: String(shiftMs) };
  const seconds = `${shiftMs > 0 ? '+' : ''}${shiftMs / 1_000}`;
  return { LD_PRELOAD: fakeTime, FAKETIME: seconds, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}

/** What a process does to itself when it comes to a step for the nth time. */
export interface Armament {
  readonly step: string;
  readonly action: 'SIGKILL' | 'SIGSTOP';
  readonly after: number;
}

/** What happened to the processes. */
export interface Tally {
  /** Kills by the step at which they struck, those from outside as `a random moment`. */
  readonly kills: Map<string, number>;
  readonly stalls: Map<string, number>;
  /** Clean ends after SIGTERM, and how long the slowest took. */
  terminations: number;
  slowestTerminationMs: number;
  /** SIGTERM that ended otherwise than with code 0. */
  readonly badTerminations: string[];
  /** Ends by themselves, with the last thing they said. */
  readonly crashes: string[];
  /** Greatest resident memory of any process, bytes. */
  residentBytesMax: number;
  /** Greatest generation of the group that a process told of. */
  generations: number;
  /** How the clocks are shifted. */
  readonly clocks: string;
}

interface Slot {
  readonly index: number;
  process: ManagedProcess | undefined;
  readonly lines: string[];
  isWanted: boolean;
  /** Why it is about to end. */
  expected: 'kill' | 'term' | undefined;
  step: string | undefined;
  isStopped: boolean;
}

export interface AggregatorsOptions {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long a stopped process stays stopped. */
  readonly stallMs: number;
  /** The clock of each instance, ms ahead of this machine's. */
  readonly clockShiftsMs: readonly number[];
  /** Told every line that any of them writes. */
  onLine?(index: number, line: string): void;
  /** What the next process to start does to itself; undefined: nothing. */
  nextArmament(): Armament | undefined;
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** The aggregators of one group, each started again when it has ended. */
export class Aggregators {
  readonly tally: Tally = {
    kills: new Map(),
    stalls: new Map(),
    terminations: 0,
    slowestTerminationMs: 0,
    badTerminations: [],
    crashes: [],
    residentBytesMax: 0,
    generations: 0,
    clocks: isFakeTime ? 'by libfaketime' : 'by another Date',
  };
  readonly #slots: Slot[] = [];
  readonly #options: AggregatorsOptions;
  readonly #sampling: NodeJS.Timeout;
  #isClosed = false;
  /** While false, processes start without an armament. */
  areArmed = false;

  constructor(options: AggregatorsOptions) {
    this.#options = options;
    this.#sampling = setInterval(() => this.#sampleMemory(), 500);
  }

  /** Indexes of those that run and are not stopped. */
  get running(): number[] {
    return this.#slots
      .filter(({ process, isStopped }) => process !== undefined && !isStopped)
      .map(({ index }) => index);
  }

  /** How many are stopped. */
  get stopped(): number {
    return this.#slots.filter(({ isStopped }) => isStopped).length;
  }

  get totalKills(): number {
    return [...this.tally.kills.values()].reduce((sum, count) => sum + count, 0);
  }

  async start(index: number): Promise<void> {
    const slot = this.#slots[index] ?? {
      index,
      process: undefined,
      lines: [],
      isWanted: true,
      expected: undefined,
      step: undefined,
      isStopped: false,
    };
    this.#slots[index] = slot;
    slot.isWanted = true;
    if (slot.process === undefined) await this.#spawn(slot);
  }

  async #spawn(slot: Slot): Promise<void> {
    const armament = this.areArmed ? this.#options.nextArmament() : undefined;
    slot.lines.length = 0;
    slot.expected = undefined;
    slot.step = undefined;
    slot.isStopped = false;
    const child = await spawnNodeApp({
      name: `aggregator ${slot.index}`,
      script: this.#script(armament),
      nodeArgs: ['--import', preload],
      env: {
        PATH: process.env['PATH'] ?? '',
        ...this.#options.env,
        FAULT_ROOT: this.#options.root,
        CONSUMER_INSTANCE: `aggregator-${slot.index}`,
        ...clockEnv(this.#options.clockShiftsMs[slot.index] ?? 0),
        ...(armament !== undefined && {
          FAULT_STEP: armament.step,
          FAULT_ACTION: armament.action,
          FAULT_AFTER: String(armament.after),
        }),
      },
      output: { onLine: (line) => this.#told(slot, line) },
    });
    slot.process = child;
    void child.exited.then(({ code, signal }) => this.#ended(slot, child, code, signal));
  }

  /** Bundled, as `npm start` runs it, where the preload need not reach into it; file by file where it does. */
  #script(armament: Armament | undefined): string {
    const { root, env } = this.#options;
    const bundled = join(root, 'apps/aggregator/bundle/main.js');
    const isReachedInto = armament !== undefined || env['FAULT_TELL_BATCHES'] !== undefined;
    return isReachedInto || !existsSync(bundled) ? join(root, 'apps/aggregator/dist/main.js') : bundled;
  }

  #told(slot: Slot, line: string): void {
    this.#options.onLine?.(slot.index, line);
    slot.lines.push(line);
    if (slot.lines.length > linesMax) slot.lines.shift();
    const fault = /^fault: (SIG\w+) at (.*)$/.exec(line);
    if (fault !== null) {
      slot.step = fault[2];
      if (fault[1] === 'SIGSTOP') void this.#stalled(slot);
      return;
    }
    const generation = /"generation":(\d+)/.exec(line)?.[1];
    if (generation !== undefined) this.tally.generations = Math.max(this.tally.generations, Number(generation));
  }

  async #stalled(slot: Slot): Promise<void> {
    const { process: child, step } = slot;
    if (child === undefined) return;
    slot.isStopped = true;
    add(this.tally.stalls, step ?? '');
    await new Promise((resolve) => setTimeout(resolve, this.#options.stallMs));
    if (slot.process !== child) return;
    slot.isStopped = false;
    signalTo(child.pid, 'SIGCONT');
  }

  #ended(slot: Slot, child: ManagedProcess, code: number | null, signal: string | null): void {
    if (slot.process !== child) return;
    slot.process = undefined;
    slot.isStopped = false;
    // One that was armed may have struck itself just when it was asked to end.
    const isStruck = signal === 'SIGKILL' && (slot.expected !== 'term' || slot.step !== undefined);
    if (isStruck) add(this.tally.kills, slot.step ?? 'a random moment');
    else if (this.#isClosed) return;
    else if (slot.expected === 'term') {
      // By the signal itself where the program has not begun yet.
      if (code === 0 || signal === 'SIGTERM') this.tally.terminations += 1;
      else this.tally.badTerminations.push(`code ${code}, signal ${signal}: ${lastWords(slot)}`);
    } else this.tally.crashes.push(`code ${code}, signal ${signal}: ${lastWords(slot)}`);
    if (slot.isWanted)
      setTimeout(() => slot.isWanted && slot.process === undefined && void this.#spawn(slot), restartMs);
  }

  /** SIGKILL; it starts again by itself. */
  kill(index: number): void {
    const slot = this.#slots[index];
    if (slot?.process === undefined) return;
    slot.expected = 'kill';
    signalTo(slot.process.pid, 'SIGKILL');
  }

  /** SIGTERM, and the end of it; it stays away until it is started. */
  async terminate(index: number): Promise<void> {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    slot.isWanted = false;
    const child = slot.process;
    if (child === undefined) return;
    if (slot.isStopped) signalTo(child.pid, 'SIGCONT');
    // One that has been killed already is on its way.
    slot.expected ??= 'term';
    const startedMs = performance.now();
    signalTo(child.pid, 'SIGTERM');
    await pollUntil(() => slot.process !== child, { what: 'an aggregator to end after SIGTERM', timeoutMs: 60_000 });
    this.tally.slowestTerminationMs = Math.max(this.tally.slowestTerminationMs, performance.now() - startedMs);
  }

  /** Kills all that run at once; resolves when as many run again. */
  async restartAll(): Promise<void> {
    const killed = this.#slots.filter(({ process: child }) => child !== undefined);
    const before = new Map(killed.map((slot) => [slot, slot.process]));
    for (const { index } of killed) this.kill(index);
    await pollUntil(() => killed.every((slot) => slot.process !== undefined && slot.process !== before.get(slot)), {
      what: 'all aggregators to start again',
      timeoutMs: 30_000,
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sampling);
    for (const slot of this.#slots) slot.isWanted = false;
    await Promise.all(this.#slots.flatMap(({ process: child }) => child?.stop() ?? []));
  }

  /** What each said last, to print when a run fails. */
  tail(): string {
    return this.#slots
      .map(({ index, lines }) => [`--- aggregator ${index}`, ...lines.slice(-25)].join('\n'))
      .join('\n');
  }

  #sampleMemory(): void {
    for (const { process: child } of this.#slots) {
      const file = `/proc/${child?.pid}/status`;
      if (child === undefined || !existsSync(file)) continue;
      try {
        const kib = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
        this.tally.residentBytesMax = Math.max(this.tally.residentBytesMax, kib * 1_024);
      } catch {
        // it has ended meanwhile
      }
    }
  }
}

function lastWords({ lines }: Slot): string {
  const last = lines.findLast((line) => /"level":("fatal"|60)/.test(line)) ?? lines.at(-1) ?? '';
  return (/"msg":"((?:[^"\\]|\\.)*)"/.exec(last)?.[1] ?? last).slice(0, 300);
}
