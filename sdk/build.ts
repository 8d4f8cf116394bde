import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCES = import.meta.dirname;
const COMPILER = join(SOURCES, '../node_modules/.bin/tsc');

/** Builds the package in a folder: JavaScript and type declarations. */
export async function buildPackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await promisify(execFile)(COMPILER, ['-p', SOURCES, '--outDir', dist]);
  if (folder !== SOURCES) {
    await copyFile(join(SOURCES, 'package.json'), join(folder, 'package.json'));
    await copyFile(join(SOURCES, 'README.md'), join(folder, 'README.md'));
  }
}

if (import.meta.main) {
  await buildPackage(SOURCES);
}
