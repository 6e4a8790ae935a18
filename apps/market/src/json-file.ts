import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content of a JSON file, undefined where there is no such file. Throws where it cannot be read or is no JSON. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file as a whole: whoever is killed meanwhile leaves the old one. Makes its folder. */
export async function writeJson(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(JSON.stringify(content));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
