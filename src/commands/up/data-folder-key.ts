import { readFile, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { Fault } from '#core/fault.ts';
import {
  environmentFileOf,
  keyFileOf,
  postgresFolderOf,
} from '#platform/config/environment-file.ts';
import { hasKey } from '#platform/config/installation.ts';
import type { Logger } from '#platform/config/logger.ts';
import { newSecretKey, readSecretKey, secretsOf } from '#platform/config/secrets.ts';
import { openDatabase } from '#platform/database/database.ts';
import { createFileAtomically } from '#platform/files/atomic-write.ts';
import { usable } from './data-folder.ts';

/** Returns the secret key in a data folder; the first `up` creates it. */
export async function secretKeyIn(folder: string): Promise<Buffer> {
  const path = keyFileOf(folder);
  return usable(folder, async () => {
    const text = (await readIfPresent(path)) ?? (await createKey(folder, path));
    const key = readSecretKey(text.trim());
    if (!key) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        `${path} must contain 32 bytes in base64; ${await adviceFor(folder)}`,
      );
    }
    return key;
  });
}

/** Throws a Fault beside an existing database: a new key could not decrypt it. */
async function createKey(folder: string, path: string): Promise<string> {
  if (await hasDatabase(folder)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `${path} is missing, and the database in ${postgresFolderOf(folder)} cannot be read without it; ` +
        (await adviceFor(folder)),
    );
  }
  await createFileAtomically(path, `${newSecretKey()}\n`);
  return readFile(path, 'utf8');
}

/** Says where the key of a data folder is, or what to do without it. */
async function adviceFor(folder: string): Promise<string> {
  const { FRONTDESK_SECRET_KEY: written } = await writtenVariables(folder);
  return written === undefined
    ? COPY_BACK
    : `the key is also in ${environmentFileOf(folder)}: copy the value of FRONTDESK_SECRET_KEY to ${keyFileOf(folder)}`;
}

const COPY_BACK =
  'copy the key back, or set FRONTDESK_SECRET_KEY to it. ' +
  'If it is lost, frontdesk up --database-only starts the database alone; ' +
  'see "The secret key is lost" in docs/troubleshooting.md';

/** Returns whether a data folder has a database. */
export async function hasDatabase(folder: string): Promise<boolean> {
  const names: readonly string[] = await readdir(postgresFolderOf(folder)).catch(() => []);
  return names.includes('pg');
}

/**
 * Throws a Fault if the folder's whole database is missing, of which the file of the last `up` tells: an
 * empty one in its place would look as if all data were lost.
 */
export async function refuseLostDatabase(folder: string): Promise<void> {
  const postgres = postgresFolderOf(folder);
  const names: readonly string[] = await readdir(postgres).catch(() => []);
  const { DATABASE_URL: url } = await writtenVariables(folder);
  if (names.length === 0 && url !== undefined) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database of ${folder} is missing: put the folder ${postgres} back, or restore a backup into another ` +
        `data folder. To start with an empty database, delete ${environmentFileOf(folder)}`,
    );
  }
}

/** Returns the variables that the last `up` wrote to the data folder. */
export const writtenVariables = async (folder: string): Promise<Readonly<Record<string, string>>> =>
  parseEnv((await readIfPresent(environmentFileOf(folder)).catch(() => undefined)) ?? '') as Record<
    string,
    string
  >;

interface UsedKey {
  readonly secretKey: Buffer;
  /** Whether the environment set it. */
  readonly isGiven: boolean;
  readonly log: Logger;
}

/** Throws a Fault that names the right key's place, if this is not the key of the folder's database. */
export async function requireKeyOfFolder(
  folder: string,
  url: string,
  { secretKey, isGiven, log }: UsedKey,
): Promise<void> {
  if (await isKeyOfDatabase(url, secretKey, log)) {
    return;
  }
  const used = isGiven ? 'FRONTDESK_SECRET_KEY' : keyFileOf(folder);
  const found = await keyOfDatabase(folder, url, log);
  const advice = found ? `${found.file} contains that key: ${toUse(found, isGiven)}` : COPY_BACK;
  throw new Fault(
    'SERVICE_UNAVAILABLE',
    `${used} is not the key of the database in ${postgresFolderOf(folder)}; ${advice}`,
  );
}

/** Says how the next `up` uses a key of the data folder. */
function toUse({ file }: KeyCopy, isGiven: boolean): string {
  if (!isGiven) {
    return `copy the value to ${keyFileOf(dirname(file))}`;
  }
  return file === keyFileOf(dirname(file))
    ? 'unset FRONTDESK_SECRET_KEY'
    : 'set FRONTDESK_SECRET_KEY to its value';
}

export interface KeyCopy {
  readonly text: string;
  readonly file: string;
}

/** Returns the key of a folder's database, if a file of the folder contains it. */
export async function keyOfDatabase(
  folder: string,
  url: string,
  log: Logger,
): Promise<KeyCopy | undefined> {
  const { FRONTDESK_SECRET_KEY: written } = await writtenVariables(folder);
  const candidates = [
    {
      text: await readIfPresent(keyFileOf(folder)).catch(() => undefined),
      file: keyFileOf(folder),
    },
    { text: written, file: environmentFileOf(folder) },
  ];
  for (const { text = '', file } of candidates) {
    const key = readSecretKey(text.trim());
    if (key && (await isKeyOfDatabase(url, key, log))) {
      return { text: text.trim(), file };
    }
  }
  return undefined;
}

async function isKeyOfDatabase(url: string, key: Buffer, log: Logger): Promise<boolean> {
  const database = openDatabase({ url, connections: 1, name: 'frontdesk up', log });
  try {
    return await hasKey(database, secretsOf(key));
  } finally {
    await database.close();
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
