/**
 * Questions and answers as frames over one connection, which carries many at once. A connection begins as HTTP and is
 * upgraded. Little-endian:
 *
 * - question: u32 bytes that follow, u32 number, then text in lines: path, name and value of each header
 * - answer: u32 bytes that follow, u32 number, u32 name of the body, u32 bytes of the head, the head in lines (status, name
 *   and value of each header), body
 *
 * An answer has the number of its question; answers come in any order. Number 0 with nothing more, from who answers: ask
 * no more over this connection. Text is latin1, as in HTTP/1.1. A body that has a name (not 0) is kept by both sides, see
 * FrameBodies; an answer with a name and no bytes of a body has the one that was sent with that name.
 */
export const frameProtocol = 'jetton-analytics-frames-1';

const lengthBytes = 4;
const numberBytes = 4;
const bodyNameBytes = 4;
const headLengthBytes = 4;
const answerFixedBytes = numberBytes + bodyNameBytes + headLengthBytes;
/** The greatest number of a question; then comes 1. */
export const frameNumberMax = 2 ** 32 - 1;

/** The beginning of a frame, with room for the rest. */
function begin(number: number, more: number): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + numberBytes + more);
  frame.writeUInt32LE(numberBytes + more, 0);
  frame.writeUInt32LE(number, lengthBytes);
  return frame;
}

/** Whether a text stays one line of a frame. */
export const isFrameLine = (text: string): boolean => !text.includes('\n');

/** `headers`: names and values, flat. Every text is one line. */
export function questionFrame(number: number, path: string, headers: readonly string[]): Buffer {
  const text = headers.length === 0 ? path : `${path}\n${headers.join('\n')}`;
  const frame = begin(number, text.length);
  frame.write(text, lengthBytes + numberBytes, 'latin1');
  return frame;
}

export interface AnswerHead {
  readonly number: number;
  /** 0: none. */
  readonly bodyName: number;
  readonly status: number;
  /** Names and values, flat; each is one line. */
  readonly headers: readonly string[];
  /** Bytes of the body that go after the head. */
  readonly bodyBytes: number;
}

/** All of an answer but its body, which goes after it. */
export function answerFrameHead({ number, bodyName, status, headers, bodyBytes }: AnswerHead): Buffer {
  const text = headers.length === 0 ? String(status) : `${status}\n${headers.join('\n')}`;
  const fixed = lengthBytes + answerFixedBytes;
  const frame = Buffer.allocUnsafe(fixed + text.length);
  frame.writeUInt32LE(answerFixedBytes + text.length + bodyBytes, 0);
  frame.writeUInt32LE(number, lengthBytes);
  frame.writeUInt32LE(bodyName, lengthBytes + numberBytes);
  frame.writeUInt32LE(text.length, fixed - headLengthBytes);
  frame.write(text, fixed, 'latin1');
  return frame;
}

/** Says that no more should be asked. */
export const leaveFrame = (): Buffer => begin(0, 0);

export interface FramedQuestion {
  readonly number: number;
  readonly path: string;
  readonly headers: Record<string, string>;
}

export interface FramedAnswer {
  readonly number: number;
  /** 0: none. */
  readonly bodyName: number;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** A part of the frame. */
  readonly body: Buffer;
}

/** A question from what follows its length. */
export function readQuestion(frame: Buffer): FramedQuestion {
  const [path = '', ...lines] = frame.toString('latin1', numberBytes).split('\n');
  return { number: frame.readUInt32LE(0), path, headers: headersOf(lines) };
}

/** An answer from what follows its length; undefined where it says to ask no more. Throws RangeError where it is cut. */
export function readAnswer(frame: Buffer): FramedAnswer | undefined {
  const number = frame.readUInt32LE(0);
  if (number === 0) return undefined;
  const bodyName = frame.readUInt32LE(numberBytes);
  const bodyAt = answerFixedBytes + frame.readUInt32LE(answerFixedBytes - headLengthBytes);
  if (bodyAt > frame.length) throw new RangeError('an answer is cut');
  const [status, ...lines] = frame.toString('latin1', answerFixedBytes, bodyAt).split('\n');
  return { number, bodyName, status: Number(status), headers: headersOf(lines), body: frame.subarray(bodyAt) };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < lines.length; at += 2) headers[lines[at] ?? ''] = lines[at + 1] ?? '';
  return headers;
}
