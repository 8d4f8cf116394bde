import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '#platform/files/make-folders.ts';
import { acquireProcessLock } from '#platform/process/process-lock.ts';
import { canEnter, serverUser, sharedFolder, type Place, type ServerUser } from './server-user.ts';
import { codeOf, messageOf, SET_DATABASE_URL, refuse } from './refuse.ts';

const GROUP_MODE = 0o070;
const GROUP_MAY_ENTER = 0o010;

/** Creates the data folder. Returns the place of PostgreSQL's data, in it or elsewhere. */
export async function placeCluster(dataDir: string, log: (line: string) => void): Promise<Place> {
  const folder = await makeFolder(resolve(dataDir));
  const link = join(folder, 'pg');
  const cluster = await followLink(link);
  const user = await serverUser(cluster);
  if (!user || (await canReach(user, dirname(cluster)))) {
    return { cluster, user };
  }
  if ((await kindOf(link)) !== 'missing') {
    throw refuse(
      `it runs as user ${user.name}, who cannot reach ${cluster}; ` +
        `move the data to a folder that this user can enter, or ${SET_DATABASE_URL}`,
    );
  }
  const elsewhere = await linkElsewhere(user, link);
  log(`user ${user.name} cannot reach ${folder}: the database is in ${elsewhere}`);
  return { cluster: elsewhere, user };
}

/** Creates the folder for its owner only. New parent folders are readable for all, whatever the umask. */
async function makeFolder(dataDir: string): Promise<string> {
  try {
    const first = await makeFolders(dataDir);
    if (first) {
      await openFolders(first, dirname(dataDir));
      await chmod(dataDir, 0o700);
    }
    return await realpath(dataDir);
  } catch (error) {
    throw refuse(`the data folder cannot be used: ${messageOf(error)}`);
  }
}

async function openFolders(first: string, last: string): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) {
    await chmod(folder, 0o755);
  }
}

async function followLink(link: string): Promise<string> {
  return (await kindOf(link)) === 'link' ? resolve(dirname(link), await readlink(link)) : link;
}

async function kindOf(path: string): Promise<'missing' | 'link' | 'other'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'other';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return 'missing';
    }
    throw error;
  }
}

/**
 * Lets the server's user pass through the data folder if only that folder is closed to it. No other user
 * may, nothing can be listed, and home folders and parent folders are not changed.
 */
async function canReach(user: ServerUser, folder: string): Promise<boolean> {
  if (await canEnter(user, folder)) {
    return true;
  }
  const { mode, uid, gid } = await stat(folder);
  const groupMode = mode & GROUP_MODE;
  // After `chown -R root:`, the folder is still open to the group, which is now that of root.
  const isPrivate = uid === 0 && (groupMode === 0 || (gid === 0 && groupMode === GROUP_MAY_ENTER));
  const isHome = [homedir(), userInfo().homedir, '/'].includes(folder);
  if (!isPrivate || isHome || !(await canEnter(user, dirname(folder)))) {
    return false;
  }
  await chown(folder, uid, user.gid);
  await chmod(folder, mode | GROUP_MAY_ENTER);
  return canEnter(user, folder);
}

/** Only the link names the place of the data: without the data folder, a new cluster is created. */
async function linkElsewhere(user: ServerUser, link: string): Promise<string> {
  const shared = await sharedFolder(user);
  if (!shared) {
    throw refuse(
      `it runs as user ${user.name}, who cannot reach ${dirname(link)}; ` +
        `use a data folder that this user can enter, or ${SET_DATABASE_URL}`,
    );
  }
  const name = `${basename(dirname(link))}-${randomBytes(6).toString('hex')}`;
  await symlink(join(shared, name), link).catch((error: unknown) => {
    // Another process made the link first.
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  });
  return followLink(link);
}

/**
 * Makes this process the only owner of a cluster until the returned function is called. Replaces the lock
 * of a dead owner. Throws a Fault if another process owns the cluster.
 */
export async function lockCluster(cluster: string): Promise<() => Promise<void>> {
  const path = `${cluster}.lock`;
  const lock = await acquireProcessLock(path).catch((error: unknown) => {
    throw refuse(`the data folder cannot be written to: ${messageOf(error)}`);
  });
  if (!lock) {
    throw refuse(
      `${path} cannot be created: other processes create it at the same time; try again`,
    );
  }
  if ('owner' in lock) {
    throw refuse(
      `${cluster} is in use by process ${lock.owner.pid}; ` +
        'stop that process first, or use another data folder',
    );
  }
  return () => lock.release();
}
