import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of package.json. Everything that is read at run time (pages, systemd units, the man
 * page, the demo manifest) lies below it, whether the sources run or the bundle in `dist/`.
 */
export const PACKAGE_ROOT = packageRootAbove(import.meta.dirname);

function packageRootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) {
    return folder;
  }
  const parent = dirname(folder);
  if (parent === folder) {
    throw new Error('no folder above the program has a package.json');
  }
  return packageRootAbove(parent);
}
