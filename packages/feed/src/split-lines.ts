/** A line that is not blank, without its line break. */
export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Undefined for a line that is longer than `lineBytesMax`: it was passed over. */
  readonly bytes: Buffer | undefined;
}

/** A line this long fits, with a record's overhead, into a topic that takes 2 MiB; the feed's own bound is 1 MiB. */
export const lineBytesMax = 2 * 1024 * 1024 - 64 * 1024;

const lineFeed = 10;
const carriageReturn = 13;

/** Cuts a stream of bytes into lines, chunk by chunk; holds no more than one chunk and one line of at most the bound. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, bytesMax = lineBytesMax): AsyncGenerator<Line[]> {
  let number = 1;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const finish = (tail: Buffer, lines: Line[]): void => {
    const isTooLong = begunBytes + tail.length > bytesMax;
    const bytes = isTooLong ? undefined : withoutReturn(begun.length === 0 ? tail : Buffer.concat([...begun, tail]));
    begun = [];
    begunBytes = 0;
    if (bytes === undefined || !isBlank(bytes)) lines.push({ number, bytes });
    number += 1;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      finish(chunk.subarray(from, at), lines);
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (begunBytes <= bytesMax && rest.length > 0) begun.push(rest);
    if (begunBytes + rest.length > bytesMax) begun = [];
    begunBytes += rest.length;
    if (lines.length > 0) yield lines;
  }
  const lines: Line[] = [];
  if (begunBytes > 0) finish(Buffer.alloc(0), lines);
  if (lines.length > 0) yield lines;
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === carriageReturn);
}
