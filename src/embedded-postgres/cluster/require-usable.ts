import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, refuse } from '../refuse.ts';
import { run } from '#platform/process/run.ts';
import type { Installation } from '../server/server.ts';

/** Refuses data that this PostgreSQL or this user cannot open, and fixes owner and mode as root. */
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

async function readVersion(cluster: string): Promise<string> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    throw refuse(`the data in ${cluster} cannot be read: ${messageOf(error)}`);
  }
}
