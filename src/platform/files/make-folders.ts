import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Creates a folder and its missing parents, and returns the first that was missing. Node's own
 * `recursive` never ends in a folder that answers ENOENT to new ones, as /proc does.
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) {
      throw error;
    }
  }
  const first = await makeFolders(dirname(path), mode);
  const made = await makeOne(path, mode);
  return first ?? made;
}

/** Returns undefined if the folder exists. */
async function makeOne(path: string, mode: number | undefined): Promise<string | undefined> {
  try {
    await mkdir(path, mode);
    return path;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) {
      return undefined;
    }
    throw error;
  }
}
