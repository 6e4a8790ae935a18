import { setFlagsFromString } from 'node:v8';

/**
 * Has buffers count towards the heap's own limit. By default V8 marks the whole heap whenever 64 MiB of buffers have come
 * since it last did so, however large the heap is: with gigabytes in it and answers of the stores passing through, a
 * process did little else (docs/performance.md, "Hydration"). To be called before anything large is read.
 */
export function countBuffersAsHeap(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
