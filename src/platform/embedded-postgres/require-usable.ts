import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf, refuse } from './refuse.ts';
import { run } from './run.ts';
import type { Installation } from './server.ts';

/** True where nobody has finished to initialise this folder. */
export async function isUnfinished(cluster: string): Promise<boolean> {
  return (await readVersion(cluster)) === undefined;
}

/** Refuses data that this PostgreSQL or this user cannot open, and mends owner and mode as root. */
export async function requireUsable({ cluster, user, binaries }: Installation): Promise<void> {
  const version = await readVersion(cluster);
  if (version !== binaries.major) {
    throw refuse(
      `the data in ${cluster} is of PostgreSQL ${version}, this is ${binaries.major}; ` +
        `take a backup with the Frontdesk that wrote it and restore it into a new data folder`,
    );
  }
  const { uid } = await stat(cluster);
  if (user && uid === 0) {
    // Copied or restored as root.
    await run('chown', ['-R', '-h', `${user.uid}:${user.gid}`, cluster]);
  } else if (!user && uid !== process.getuid?.()) {
    throw refuse(
      `the data in ${cluster} belongs to user number ${uid}; run as that user or as root`,
    );
  }
  await chmod(cluster, 0o700);
}

async function readVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim() || undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw refuse(`the data in ${cluster} cannot be read: ${messageOf(error)}`);
  }
}
