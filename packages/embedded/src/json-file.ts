import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { LaunchError, systemCodeOf } from './launch-error.js';

/** The parsed file, or undefined when there is none. Throws a LaunchError naming the file when it holds anything else. */
export function readJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new LaunchError(`${file} is damaged or was written by another program`, { cause: error });
  }
}

/** Replaces the file as a whole: a reader sees the old text or the new one, also when this process is killed meanwhile. */
export function writeJsonFile(file: string, value: unknown): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
