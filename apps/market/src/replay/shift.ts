import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from '../json-file.js';
import { UserError } from '../user-error.js';
import { openLineFile } from './read-lines.js';
import { rewriteLine } from './rewrite-line.js';

const Shift = z.object({ format: z.literal(1), sha256: z.string(), shiftSeconds: z.int() });

const fileName = 'replay.json';

/** How the event times of a file are moved. */
export type ShiftWish = { readonly kind: 'seconds'; readonly seconds: number } | { readonly kind: 'to-now' };

/**
 * Seconds to add to every event time. "To now" makes the newest one of the past the second before `nowMs`; it is chosen
 * once and kept in the folder with the file's SHA-256, so that a replay taken up again moves the file by the same.
 * Throws a UserError where the folder belongs to another file or shift, or nothing in the file has a time.
 */
export async function chooseShift(
  path: string,
  wish: ShiftWish,
  stateDir: string | undefined,
  nowMs: number,
): Promise<number> {
  if (wish.kind === 'seconds' && stateDir === undefined) return wish.seconds;
  const kept = stateDir === undefined ? undefined : await readKept(join(stateDir, fileName));
  const latestSeconds = Math.floor(nowMs / 1000);
  const { sha256, newestSeconds } = await survey(path, wish.kind === 'to-now' ? latestSeconds : undefined);
  if (kept) {
    if (kept.sha256 !== sha256) throw new UserError(`${stateDir} holds the replay of another file than ${path}`, 2);
    if (wish.kind === 'seconds' && kept.shiftSeconds !== wish.seconds) {
      throw new UserError(`${stateDir} holds a replay shifted by ${kept.shiftSeconds} s, not ${wish.seconds} s`, 2);
    }
    return kept.shiftSeconds;
  }
  if (wish.kind === 'to-now' && newestSeconds === undefined) {
    throw new UserError(`${path} cannot be shifted to now: no line has an event_time of the past`, 2);
  }
  const shiftSeconds = wish.kind === 'seconds' ? wish.seconds : latestSeconds - 1 - (newestSeconds ?? 0);
  if (stateDir !== undefined) await writeJson(join(stateDir, fileName), { format: 1, sha256, shiftSeconds });
  return shiftSeconds;
}

async function readKept(file: string): Promise<z.infer<typeof Shift> | undefined> {
  try {
    const content = await readJson(file);
    return content === undefined ? undefined : Shift.parse(content);
  } catch (error) {
    throw new UserError(`the saved replay ${file} cannot be read: remove it to choose the shift anew`, 2, {
      cause: error,
    });
  }
}

/** One pass through the file, in bounded memory; without `latestSeconds` no line of it is looked into. */
async function survey(
  path: string,
  latestSeconds: number | undefined,
): Promise<{ readonly sha256: string; readonly newestSeconds: number | undefined }> {
  const file = await openLineFile(path);
  let newestSeconds: number | undefined;
  for await (const lines of file.lines) {
    for (const { bytes } of lines) {
      if (bytes === undefined || latestSeconds === undefined) continue;
      const { eventTimeSeconds } = rewriteLine(bytes, { shiftSeconds: 0, latestSeconds });
      if (eventTimeSeconds !== undefined) newestSeconds = Math.max(newestSeconds ?? 0, eventTimeSeconds);
    }
  }
  return { sha256: file.sha256(), newestSeconds };
}
