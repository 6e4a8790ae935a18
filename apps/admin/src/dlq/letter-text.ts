import type { Letter } from './read-letters.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as text where they are UTF-8, else in base64. */
function bytesJson(bytes: Buffer | null): object | null {
  if (bytes === null) return null;
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { base64: bytes.toString('base64') };
  }
}

/** A letter as JSON, exactly. */
export const letterJson = (letter: Letter, redriven: string | null) => ({
  topic: letter.topic,
  partition: letter.partition,
  offset: letter.offset,
  recordTime: new Date(letter.timestampMs).toISOString(),
  stage: letter.stage,
  reason: letter.reason,
  detail: letter.detail,
  deadLetter: { partition: letter.letterPartition, offset: letter.letterOffset },
  key: bytesJson(letter.key),
  value: bytesJson(letter.value),
  headers: Object.fromEntries(Object.entries(letter.headers).map(([name, value]) => [name, String(value)])),
  redrivenFrom: letter.redrivenFrom === '' ? null : letter.redrivenFrom,
  redriven,
  ...(letter.hindrance !== undefined && { hindrance: letter.hindrance }),
});

/** How many letters each reason has, most first. */
export function countsByReason(letters: readonly Letter[]): readonly (readonly [reason: string, letters: number])[] {
  const counts = Map.groupBy(letters, ({ reason }) => reason);
  return [...counts]
    .map(([reason, of]) => [reason, of.length] as const)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}
