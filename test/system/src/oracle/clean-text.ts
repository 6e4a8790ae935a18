const isRemoved = (code: number): boolean =>
  code <= 0x1f ||
  (code >= 0x7f && code <= 0x9f) ||
  code === 0x200e ||
  code === 0x200f ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069);

/** A stranger's string as docs/feed.md has it cleaned: what turns or controls is removed, then it is cut, then trimmed. */
export function cleaned(text: string, codePointsMax: number): string {
  const kept = Array.from(text).filter((character) => !isRemoved(character.codePointAt(0) ?? 0));
  return kept.slice(0, codePointsMax).join('').trim();
}
