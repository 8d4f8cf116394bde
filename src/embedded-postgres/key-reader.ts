import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFileOf, lockFileOf, postgresFolderOf } from '#platform/config/environment-file.ts';
import { run } from '#platform/process/run.ts';

/**
 * Returns the user who owns the database and also the secret key of a data folder that `up` uses as root,
 * as after `chown -R`. PostgreSQL then runs as that user, who can read the key. Undefined for any other
 * folder.
 */
export async function keyReader(folder: string): Promise<string | undefined> {
  const [up, key, cluster] = await Promise.all(
    [lockFileOf(folder), keyFileOf(folder), join(postgresFolderOf(folder), 'pg')].map(ownerOf),
  );
  return up === 0 && key !== undefined && key !== 0 && key === cluster ? nameOf(key) : undefined;
}

const ownerOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.uid;

const nameOf = async (uid: number): Promise<string> =>
  (await run('id', ['-un', String(uid)]).catch(() => '')).trim() || `ID ${uid}`;

/** What an operator does to give the key back to root. */
export const keyReaderFix = (folder: string): string =>
  `run up as that user, or stop it, run chown -R root: ${folder}, and start it again: ` +
  `PostgreSQL then runs as the user postgres`;
