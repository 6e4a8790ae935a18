import { writeSync } from 'node:fs';

const gatheredBytes = 4_096;
const gatheredMs = 100;
const pauseMs = 10;
/** A reader that takes nothing for so long is treated as gone: the process has more to do than to tell of it. */
const fullMsMax = 5_000;

export interface LineOutput {
  write(line: string): void;
  /** Writes what is gathered; lines that nobody reads are dropped. Never throws. */
  flushSync(): void;
}

const sleepSync = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const codeOf = (error: unknown) => (error as { readonly code?: unknown }).code;

/**
 * A file descriptor to which lines go together: a system call for each would cost as much as the rest of a request's
 * line. They are written after a moment, by flushSync and at the end of the process. A reader that is gone (a closed
 * pipe) ends the output, not the process; one that is slow is waited for, at most 5 s.
 */
export function lineOutput(fd: number): LineOutput {
  let gathered = '';
  let isOpen = true;
  const flushSync = () => {
    const bytes = Buffer.from(gathered);
    gathered = '';
    let at = 0;
    let waitedMs = 0;
    while (isOpen && at < bytes.length) {
      try {
        at += writeSync(fd, bytes, at);
        waitedMs = 0;
      } catch (error) {
        isOpen = codeOf(error) === 'EAGAIN';
        if (waitedMs >= fullMsMax) return;
        if (isOpen) sleepSync(pauseMs);
        waitedMs += pauseMs;
      }
    }
  };
  setInterval(flushSync, gatheredMs).unref();
  process.once('exit', flushSync);
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= gatheredBytes) flushSync();
    },
    flushSync,
  };
}
