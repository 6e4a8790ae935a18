import { isUtf8 } from 'node:buffer';
import { membersOf } from './json-members.js';
import { readSeconds } from './seconds.js';

export interface RewrittenLine {
  /** What is produced: the line's own bytes where nothing had to be changed, and always where it is bad. */
  readonly value: Buffer;
  /** As produced, Unix seconds; undefined where the line has none that a record can be dated by. */
  readonly eventTimeSeconds: number | undefined;
  /** What is wrong with the line, in words that follow `file:line:`. */
  readonly problem?: string;
}

export interface Rewriting {
  readonly shiftSeconds: number;
  /** What lies later than this has not happened yet: no record can be dated by it, and brokers refuse to. */
  readonly latestSeconds: number;
}

/**
 * A line of a file as the feed would have sent it: without the fields that begin with `_`, the event time moved by
 * the shift, every other character as it stands. A bad line is left alone: the feed's own rules deal with it.
 */
export function rewriteLine(line: Buffer, { shiftSeconds, latestSeconds }: Rewriting): RewrittenLine {
  const bad = (problem: string): RewrittenLine => ({ value: line, eventTimeSeconds: undefined, problem });
  if (!isUtf8(line)) return bad('not UTF-8');
  const text = line.toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return bad('not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return bad('not a JSON object');

  const { rewritten, eventTimeText } = rewriteMembers(text, shiftSeconds);
  const value = rewritten === text ? line : Buffer.from(rewritten, 'utf8');
  const eventTimeSeconds = eventTimeText === undefined ? undefined : readSeconds(eventTimeText);
  if (eventTimeSeconds !== undefined && eventTimeSeconds <= latestSeconds) return { value, eventTimeSeconds };
  if (eventTimeSeconds !== undefined)
    return { value, eventTimeSeconds: undefined, problem: 'event_time in the future' };
  return { value, eventTimeSeconds, problem: 'no event_time in whole Unix seconds of 2019 to 2099' };
}

function rewriteMembers(text: string, shiftSeconds: number): { rewritten: string; eventTimeText: string | undefined } {
  const members = membersOf(text);
  const kept = members.filter(({ key }) => !key.startsWith('_'));
  // The last of duplicate keys wins, as in JSON.parse.
  const eventTime = kept.findLast(({ key }) => key === 'event_time');
  const original = eventTime && text.slice(eventTime.valueStart, eventTime.end);
  const seconds = original === undefined ? undefined : readSeconds(original);
  const eventTimeText = shiftSeconds === 0 || seconds === undefined ? original : String(seconds + shiftSeconds);
  const isWhole = kept.length === members.length;
  const isMoved = eventTimeText !== original;
  const first = members[0];
  const last = members.at(-1);
  if ((isWhole && !isMoved) || !first || !last) return { rewritten: text, eventTimeText };

  let rewritten = text.slice(0, first.start);
  let previousEnd: number | undefined;
  let keptAny = false;
  for (const member of members) {
    if (!member.key.startsWith('_')) {
      // A comma comes with the member behind it, blanks and all; the first one kept has none before it.
      if (keptAny) rewritten += text.slice(previousEnd, member.start);
      keptAny = true;
      rewritten +=
        member === eventTime && isMoved
          ? text.slice(member.start, member.valueStart) + eventTimeText
          : text.slice(member.start, member.end);
    }
    previousEnd = member.end;
  }
  return { rewritten: rewritten + text.slice(last.end), eventTimeText };
}
