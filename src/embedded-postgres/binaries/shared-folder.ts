import { chmod, mkdir } from 'node:fs/promises';
import { canEnter } from './can-enter.ts';
import type { ServerUser } from '../cluster/server-user.ts';

/** The first may be closed to the server's user already: a service's state folder is. */
const FOLDERS = ['/var/lib/frontdesk', '/var/lib/frontdesk-postgres'];

/** A folder of root's that the server's user can enter; undefined where there cannot be one. */
export async function sharedFolder(user: ServerUser): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    if ((await isMade(folder)) && (await canEnter(user, folder))) {
      return folder;
    }
  }
  return undefined;
}

async function isMade(folder: string): Promise<boolean> {
  try {
    if (await mkdir(folder, { recursive: true })) {
      // The umask may have closed it.
      await chmod(folder, 0o755);
    }
    return true;
  } catch {
    return false;
  }
}
