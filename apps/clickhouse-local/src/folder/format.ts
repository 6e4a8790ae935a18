import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Number of the folder's layout; it rises whenever an older program could not read the folder any more. */
const FOLDER_FORMAT = 1;

const FILE = 'format.json';
const FormatRecord = z.object({
  format: z.number().int().positive(),
  engineVersion: z.string().regex(/^\d+(\.\d+)+$/),
});

/**
 * Checks that this program and engine can read the folder: the layout is the same, and the engine is not older than
 * the one that last wrote here.
 * @throws Error with one sentence when they cannot.
 */
export function checkFolder(folder: string, engineVersion: string): void {
  const record = read(folder);
  if (record === undefined) {
    const foreign = readdirSync(folder).filter((name) => !name.startsWith('lock.json') && !name.startsWith(FILE));
    if (foreign.length === 0) return;
    throw new Error(`The folder ${folder} is no data folder of this program: it holds ${foreign[0]} but no ${FILE}.`);
  }
  if (record.format !== FOLDER_FORMAT)
    throw new Error(
      `The data folder ${folder} has format ${record.format}, and this program reads format ${FOLDER_FORMAT}.`,
    );
  if (isNewer(record.engineVersion, engineVersion))
    throw new Error(
      `The data folder ${folder} was written by engine ${record.engineVersion}, and this program has engine ${engineVersion}.`,
    );
}

/** Writes down the layout and the engine that uses the folder from now on. */
export function recordFolder(folder: string, engineVersion: string): void {
  const path = join(folder, FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify({ format: FOLDER_FORMAT, engineVersion })}\n`);
  renameSync(`${path}.new`, path);
}

function read(folder: string): z.infer<typeof FormatRecord> | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return FormatRecord.parse(JSON.parse(text));
  } catch {
    throw new Error(`The data folder ${folder} has a format this program does not know: ${FILE} cannot be read.`);
  }
}

/** Major and minor numbers decide: the engine reads what any patch release of the same one wrote. */
function isNewer(a: string, b: string): boolean {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor > bMajor || (aMajor === bMajor && aMinor > bMinor);
}
