import { createHash } from 'node:crypto';

/** Random numbers in [0, 1) that follow from the seed alone: the first 48 bits of SHA-256 of seed and count. */
export function seededRandom(seed: string): () => number {
  let count = 0;
  return () => {
    const digest = createHash('sha256').update(`${seed}/${count}`).digest();
    count += 1;
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
}
