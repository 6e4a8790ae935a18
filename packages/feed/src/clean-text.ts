// C0, DEL and C1; marks and embeddings of direction. Whoever shows the text would be shown something else.
const removed = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Most code points of the strings of the metadata topic (docs/feed.md). */
export const textLengthMax = { name: 256, symbol: 64, description: 4_096, url: 2_048 } as const;

/**
 * A stranger's text made harmless: control characters and characters that turn the direction are removed, then it is cut
 * to `codePointsMax`, then trimmed. A lone surrogate becomes U+FFFD, since no store takes one. Linear in the text.
 */
export function cleanText(text: string, codePointsMax: number): string {
  return cutTo(text.toWellFormed().replace(removed, ''), codePointsMax).trim();
}

function cutTo(text: string, codePointsMax: number): string {
  if (text.length <= codePointsMax) return text;
  let end = 0;
  for (let count = 0; count < codePointsMax && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
