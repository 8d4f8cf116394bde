import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCES = import.meta.dirname;
const COMPILER = join(SOURCES, '../node_modules/.bin/tsc');

/** Builds the package's `dist` folder: JavaScript and type declarations. `npm pack` runs this. */
async function buildPackage(): Promise<void> {
  const built = await mkdtemp(join(SOURCES, '.dist-'));
  await promisify(execFile)(COMPILER, ['-p', SOURCES, '--outDir', built]);
  const dist = join(SOURCES, 'dist');
  await rm(dist, { recursive: true, force: true });
  await rename(built, dist);
}

await buildPackage();
