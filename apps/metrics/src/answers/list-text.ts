/** The last members of a list's answer: `missing` where jettons were asked for by address, `next` where there is more. */
export function pageEnd({
  missing,
  next,
}: {
  missing: readonly string[] | undefined;
  next: string | undefined;
}): string {
  return [
    missing === undefined ? '' : `,"missing":${JSON.stringify(missing)}`,
    next === undefined ? '' : `,"next":${JSON.stringify(next)}`,
    '}',
  ].join('');
}
