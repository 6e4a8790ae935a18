/** The list in runs of at most `sizeMax`, in order. */
export function* slices<T>(list: readonly T[], sizeMax: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += sizeMax) yield list.slice(start, start + sizeMax);
}
