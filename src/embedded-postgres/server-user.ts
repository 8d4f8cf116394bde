import { chmod, stat } from 'node:fs/promises';
import { makeFolders } from '#platform/files/make-folders.ts';
import { run } from '#platform/process/run.ts';
import { codeOf, messageOf, refuse, SET_DATABASE_URL } from './refuse.ts';

const NAME = 'postgres';

/** Distributions differ: in commands, and some have the group without the user. */
const WAYS_TO_CREATE: readonly (readonly string[])[] = [
  ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--user-group'],
  ['useradd', '--system', '--no-create-home', '--shell', '/bin/false', '--gid', NAME],
  ['adduser', '--system', '--no-create-home', '--group'],
  ['adduser', '-S', '-D', '-H'],
];

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The place of the data, and the user of the server. */
export interface Place {
  /** PostgreSQL's data folder; the password and the lock are beside it. */
  readonly cluster: string;
  /** The user of the server; undefined means the user of this process. */
  readonly user: ServerUser | undefined;
}

/**
 * PostgreSQL refuses to run as root. Root runs it as the owner of the data, or as the user `postgres`,
 * which is created if missing.
 */
export async function serverUser(cluster: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  return (await ownerOf(cluster)) ?? (await findUser()) ?? createUser();
}

async function ownerOf(cluster: string): Promise<ServerUser | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  return found && found.uid !== 0
    ? { name: `ID ${found.uid}`, uid: found.uid, gid: found.gid }
    : undefined;
}

async function findUser(): Promise<ServerUser | undefined> {
  try {
    const uid = Number(await run('id', ['-u', NAME]));
    return { name: NAME, uid, gid: Number(await run('id', ['-g', NAME])) };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<ServerUser> {
  const reasons: string[] = [];
  for (const [program = '', ...args] of WAYS_TO_CREATE) {
    try {
      await run(program, [...args, NAME]);
    } catch (error) {
      reasons.push(messageOf(error));
    }
    const user = await findUser();
    if (user) {
      return user;
    }
  }
  throw refuse(
    `it cannot run as root, and the user ${NAME} could not be created (${reasons.join('; ')}); ` +
      `create that user, run as another user, or ${SET_DATABASE_URL}`,
  );
}

/** Tries it as that user: modes ignore ACLs and parent folders. */
export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { user });
    return true;
  } catch (error) {
    // A system error, not a result: a container may forbid changing the user.
    if (codeOf(error) !== undefined) {
      throw refuse(
        `root must switch to user ${user.name}, which failed (${messageOf(error)}); ` +
          `run as another user, or ${SET_DATABASE_URL}`,
      );
    }
    return false;
  }
}

/** The first may be closed to the server's user: it is the state folder of the service. */
const FOLDERS = ['/var/lib/frontdesk', '/var/lib/frontdesk-postgres'];

/** Returns a folder of root that the server's user can enter, or undefined. */
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
    if (await makeFolders(folder)) {
      // Overrides the umask.
      await chmod(folder, 0o755);
    }
    return true;
  } catch {
    return false;
  }
}
