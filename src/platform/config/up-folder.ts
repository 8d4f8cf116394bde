import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../files/package-root.ts';
import { readProcessLock, type LockOwner } from '../process/process-lock.ts';

/** The data folder of `frontdesk up` without `--data`. */
export const DEFAULT_FOLDER = join(PACKAGE_ROOT, 'data');

const FILE_NAME = 'frontdesk.env';
const HEADER = '# Written by frontdesk up, which replaces it at each start and never reads it.';

export const environmentFileOf = (folder: string): string => join(folder, FILE_NAME);
export const lockFileOf = (folder: string): string => join(folder, 'up.lock');
export const postgresFolderOf = (folder: string): string => join(folder, 'postgres');

/** Returns the text of the environment file with which other commands reach a running `up`. */
export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  [HEADER, ...Object.entries(variables).map(([name, value]) => `${name}="${value}"`), ''].join(
    '\n',
  );

/** Returns the data folder whose `up` wrote this environment file, or undefined for any other file. */
export function folderOfEnvironmentFile(path: string): string | undefined {
  const file = resolve(path);
  const isOurs = textOf(file).startsWith(HEADER);
  // Releases before 0.2 wrote no header.
  const isOld = basename(file) === FILE_NAME && existsSync(postgresFolderOf(dirname(file)));
  return isOurs || isOld ? dirname(file) : undefined;
}

/** Returns whether both paths name the same environment file, which need not exist. */
export const isEnvironmentFileOf = (folder: string, path: string): boolean =>
  realOf(resolve(path)) === realOf(environmentFileOf(resolve(folder)));

/** Returns the process that runs `up` on a data folder; its note is the address it serves. */
export const runningUp = (folder: string): Promise<LockOwner | undefined> =>
  readProcessLock(lockFileOf(folder));

/** The command that starts `up` on a data folder. */
const startCommandOf = (folder: string): string =>
  realOf(folder) === realOf(DEFAULT_FOLDER) ? 'npm start' : `bin/frontdesk up --data ${folder}`;

export const nothingRuns = (folder: string): string =>
  `nothing is running on ${folder}; start it with ${startCommandOf(folder)}`;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Resolves links in the folder; the file itself may be missing. */
function realOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
