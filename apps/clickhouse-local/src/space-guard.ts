import { statfsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from './engine/engine-error.js';
import type { Engine } from './engine/engine.js';

export interface SpaceGuardOptions {
  /** A folder on the disk that is watched. */
  readonly folder: string;
  /** Least free space to run statements with; they run again when there is twice as much. */
  readonly freeBytesMin: number;
  readonly tell: (line: string) => void;
}

const SAMPLE_MS = 10;
const RETRY_MS = 100;
const MEBIBYTE = 1024 * 1024;

/**
 * The engine takes a write that finds no space for done: an insert is acknowledged, a merge replaces its sources, and the
 * files are empty. So nothing that ran while the disk was nearly full is believed. Statements are refused, those under
 * way fail, and the engine is shut as soon as they have ended; it opens again when there is space, sets broken parts
 * aside and goes on with the sources of broken merges.
 */
export class SpaceGuard {
  private readonly timer: NodeJS.Timeout;
  private readonly stopped = new AbortController();
  private running = 0;
  private shortages = 0;
  private cycle: Promise<void> | undefined;
  private whenIdle: (() => void) | undefined;

  constructor(
    private readonly engine: Pick<Engine, 'suspend' | 'resume'>,
    private readonly options: SpaceGuardOptions,
  ) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
    this.timer.unref();
  }

  /** Runs the work. @throws EngineError 243 where the disk is, or meanwhile was, nearly full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.sample();
    if (this.cycle !== undefined) throw this.shortage();
    const before = this.shortages;
    this.running += 1;
    try {
      const result = await work();
      this.sample();
      if (this.shortages !== before) throw this.shortage();
      return result;
    } catch (error) {
      this.sample();
      throw this.shortages === before ? error : this.shortage();
    } finally {
      this.running -= 1;
      if (this.running === 0) this.whenIdle?.();
    }
  }

  /** Ends the watch; an engine that is shut stays so. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopped.abort();
    await this.cycle;
  }

  private sample(): void {
    if (this.cycle !== undefined || this.freeBytes() >= this.options.freeBytesMin) return;
    this.shortages += 1;
    this.cycle = this.waitForSpace().finally(() => (this.cycle = undefined));
  }

  private async waitForSpace(): Promise<void> {
    const { freeBytesMin, tell } = this.options;
    const { signal } = this.stopped;
    tell(`${this.shortage().message}.`);
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    await this.engine.suspend();
    while (!signal.aborted && this.freeBytes() < 2 * freeBytesMin) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    if (signal.aborted) return;
    this.engine.resume();
    tell('There is space on the disk again: statements are run.');
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.options.folder);
    return bavail * bsize;
  }

  private shortage(): EngineError {
    const { folder, freeBytesMin } = this.options;
    const least = `${Math.round(freeBytesMin / MEBIBYTE)} MiB`;
    return new EngineError(
      243,
      'NOT_ENOUGH_SPACE',
      `Less than ${least} are free on the disk of ${folder}: no statement is run until there are twice as many`,
    );
  }
}
