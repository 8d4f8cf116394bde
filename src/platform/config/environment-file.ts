import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageFault } from '#core/fault.ts';
import { VARIABLES } from './environment.ts';
import { folderOfEnvironmentFile, isEnvironmentFileOf } from './up-folder.ts';

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment, completed by the file that FRONTDESK_ENV_FILE names; the environment wins.
 * A secret may be in a file of its own, which NAME_FILE names.
 */
export function withEnvironmentFile(environment: Source): Source {
  const { FRONTDESK_ENV_FILE: path } = environment;
  return withSecretFiles(path ? { ...read(path), ...environment } : environment);
}

/**
 * Returns the environment of `up`, which ignores files that an `up` wrote: they name a database that
 * only runs while that `up` does.
 */
export function environmentOfUp(environment: Source, folder: string): Source {
  const { FRONTDESK_ENV_FILE: path, ...others } = environment;
  const isGenerated =
    path && (isEnvironmentFileOf(folder, path) || folderOfEnvironmentFile(path) !== undefined);
  return withEnvironmentFile(isGenerated ? others : environment);
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
