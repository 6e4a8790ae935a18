import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Prints how often the whole heap was collected while two gigabytes of buffers passed by a heap of a hundred megabytes. */
const script = (before: string) => `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate } from 'node:timers/promises';
  import { countBuffersAsHeap } from ${JSON.stringify(new URL('external-memory.ts', import.meta.url).href)};
  ${before}
  const heap = Array.from({ length: 2_000_000 }, (_, index) => ({ index }));
  gc();
  await setImmediate();
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }).observe({ entryTypes: ['gc'] });
  let buffers = [];
  for (let count = 0; count < 240; count += 1) {
    buffers = [...buffers.slice(-3), Buffer.alloc(8 * 2 ** 20)];
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  }
  console.log(collections, heap.length, buffers.length);
`;

async function collections(before: string): Promise<number> {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script(before)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout.split(' ')[0]);
}

describe('buffers beside a large heap', () => {
  it('have it collected again and again by default, and hardly ever where they count as heap', async () => {
    expect(await collections('')).toBeGreaterThan(4);
    expect(await collections('countBuffersAsHeap();')).toBeLessThan(3);
  });
});
