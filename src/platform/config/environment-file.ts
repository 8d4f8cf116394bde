import { readFileSync, existsSync, realpathSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageFault } from '#core/fault.ts';
import { readEnvironment, VARIABLES, type Environment } from './environment.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../files/package-root.ts';
import { readProcessLock, type LockOwner } from '../process/process-lock.ts';

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment, completed by the file that FRONTDESK_ENV_FILE names; the environment wins.
 * A secret may be in a file of its own, which NAME_FILE names.
 */
export function withEnvironmentFile(environment: Source): Source {
  const { FRONTDESK_ENV_FILE: path } = environment;
  return withSecretFiles(path ? { ...read(path), ...environment } : environment);
}

/** Returns the settings of this process, checked. Throws a UsageFault with a line per wrong variable. */
export const processEnvironment = <R extends keyof Environment = never>(
  required: readonly R[] = [],
) => readEnvironment(withEnvironmentFile(process.env), required);

/**
 * Returns the environment of `up`, which ignores files that an `up` wrote: they name a database that
 * only runs while that `up` does.
 */
export function environmentOfUp(environment: Source, folder: string): Source {
  const { FRONTDESK_ENV_FILE: path, ...others } = environment;
  const isGenerated =
    path && (isEnvironmentFileOf(folder, path) || folderOfEnvironmentFile(path) !== undefined);
  const given = withEnvironmentFile(isGenerated ? others : environment);
  return { FRONTDESK_FILES_DIR: filesFolderOf(folder), ...given };
}

/** Returns where the secret key comes from, and what it overrides there, for the message of a wrong one. */
export function secretKeyPlace(environment: Source): string {
  const { FRONTDESK_ENV_FILE: path = '', FRONTDESK_SECRET_KEY: given } = environment;
  const stored: Source = path === '' ? {} : parseEnv(textOf(path));
  if (given) {
    const { FRONTDESK_SECRET_KEY: other, FRONTDESK_SECRET_KEY_FILE: otherFile } = stored;
    const isOverriding = otherFile !== undefined || (other !== undefined && other !== given);
    return isOverriding
      ? `a variable of the shell, which overrides ${path} (try unset FRONTDESK_SECRET_KEY)`
      : 'the environment';
  }
  const { FRONTDESK_SECRET_KEY: key, FRONTDESK_SECRET_KEY_FILE: file } = {
    ...stored,
    ...environment,
  };
  if (key) {
    return path;
  }
  return file ? `${file} (FRONTDESK_SECRET_KEY_FILE)` : 'secret-key in the data folder of up';
}

/** Returns the data folder whose `up` the environment's database address belongs to. */
export function upFolderOf(environment: Source): string | undefined {
  const { FRONTDESK_ENV_FILE: path, DATABASE_URL: url, DATABASE_URL_FILE: urlFile } = environment;
  return path && !url && !urlFile ? folderOfEnvironmentFile(path) : undefined;
}

function read(path: string): Source {
  return parseEnv(readText('FRONTDESK_ENV_FILE', path));
}

function withSecretFiles(source: Source): Source {
  const found = Object.values(VARIABLES).flatMap((variable) => {
    const place = `${variable.name}_FILE`;
    const path = source[place];
    return 'secret' in variable && path && !source[variable.name]
      ? [[variable.name, readText(place, path).trim()] as const]
      : [];
  });
  return { ...source, ...Object.fromEntries(found) };
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { message } = error as Error;
    throw new UsageFault(`${variable} is "${path}", which cannot be read: ${message}`);
  }
}

/** The data folder of `frontdesk up` without `--data`. */
export const DEFAULT_FOLDER = join(PACKAGE_ROOT, 'data');

const FILE_NAME = 'frontdesk.env';
const HEADER =
  '# Written by frontdesk up, which replaces it at each start and takes no settings from it.';

export const environmentFileOf = (folder: string): string => join(folder, FILE_NAME);
export const lockFileOf = (folder: string): string => join(folder, 'up.lock');
const filesFolderOf = (folder: string): string => join(resolve(folder), 'files');
export const postgresFolderOf = (folder: string): string => join(folder, 'postgres');
export const keyFileOf = (folder: string): string => join(folder, 'secret-key');

/** Returns the text of the environment file with which other commands reach a running `up`. */
export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  [HEADER, ...Object.entries(variables).map(([name, value]) => `${name}="${value}"`), ''].join(
    '\n',
  );

/** Returns the data folder whose `up` wrote this environment file, or undefined for any other file. */
function folderOfEnvironmentFile(path: string): string | undefined {
  const file = resolve(path);
  const isOurs = textOf(file).startsWith(HEADER);
  // Releases before 0.2 wrote no header.
  const isOld = basename(file) === FILE_NAME && existsSync(postgresFolderOf(dirname(file)));
  return isOurs || isOld ? dirname(file) : undefined;
}

/** Returns whether both paths name the same environment file, which need not exist. */
const isEnvironmentFileOf = (folder: string, path: string): boolean =>
  realOf(resolve(path)) === realOf(environmentFileOf(resolve(folder)));

/** Returns the process that runs `up` on a data folder; its note is the address it serves. */
export const runningUp = (folder: string): Promise<LockOwner | undefined> =>
  readProcessLock(lockFileOf(folder));

const DEFAULT_PORT = VARIABLES.port.default;

/** Returns how the program of this checkout is called in a folder. */
const programOf = (folder: string): string =>
  realOf(folder) === realOf(PACKAGE_ROOT) ? 'bin/frontdesk' : join(PACKAGE_ROOT, 'bin/frontdesk');

/** The command that starts `up` on a data folder, with the port and the certificate of the last start. */
function startCommandOf(folder: string): string {
  const { FRONTDESK_PORT: port = DEFAULT_PORT, FRONTDESK_TLS_CERT: certificate } = parseEnv(
    textOf(environmentFileOf(folder)),
  );
  const isDefault = realOf(folder) === realOf(DEFAULT_FOLDER);
  const options = [
    ...(isDefault ? [] : ['--data', folder]),
    ...(port === DEFAULT_PORT ? [] : ['--port', port]),
    ...(certificate && dirname(resolve(certificate)) === resolve(folder) ? ['--https'] : []),
  ];
  return isDefault && options.length === 0
    ? 'npm start'
    : [`${programOf(process.cwd())} up`, ...options].join(' ');
}

/** Says that no `up` runs on a data folder, what is to be repaired first, and how to start it. */
export const nothingRuns = (folder: string): string =>
  `nothing is running on ${folder}; ${repairsOf(folder)}start it with ${startCommandOf(folder)}`;

/** Says how to repair a data folder on which `up` would refuse to start, as far as its files show it. */
function repairsOf(folder: string): string {
  const file = environmentFileOf(folder);
  const { DATABASE_URL: url, FRONTDESK_SECRET_KEY: key } = parseEnv(textOf(file));
  const database = join(postgresFolderOf(folder), 'pg');
  const repairs = [
    url && isMissing(database) && `put its database back to ${database}`,
    key &&
      isMissing(keyFileOf(folder)) &&
      `copy the value of FRONTDESK_SECRET_KEY in ${file} to ${keyFileOf(folder)}, which is missing`,
  ].filter((repair) => typeof repair === 'string' && repair !== '');
  return repairs.map((repair) => `${repair}, then `).join('');
}

/** A file that this user may not see counts as present. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

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

/** Returns the folder of `frontdesk up`, which contains its environment file. */
export const dataFolder = (): string =>
  resolve(dirname(process.env['FRONTDESK_ENV_FILE'] ?? 'package.json'));
