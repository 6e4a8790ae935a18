/** An instant in ms since 1970 as DateTime64(3) reads it exactly: seconds with three decimals. */
export function instantText(ms: number): string {
  return `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
}
