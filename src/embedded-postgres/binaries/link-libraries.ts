import { access, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf } from '../refuse.ts';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links between shared libraries that npm packages cannot carry and that the package's
 * install script would have made. Without them `initdb` picks the machine's own libraries.
 */
export async function linkLibraries(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    // Both are told from the folder above, and a copy of the folder has another name.
    const link = join(native, relative('native', target));
    if (!(await leadsSomewhere(link))) {
      await rm(link, { force: true });
      await symlink(relative(dirname(target), source), link).catch(ignoreMadeByOthers);
    }
  }
}

async function readLinks(native: string): Promise<readonly Link[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

const leadsSomewhere = (link: string): Promise<boolean> =>
  access(link).then(
    () => true,
    () => false,
  );

function ignoreMadeByOthers(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') {
    throw error;
  }
}
