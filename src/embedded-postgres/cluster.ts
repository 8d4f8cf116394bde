import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  access,
  readFile,
  stat,
} from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { writeFileAtomically } from '#platform/files/atomic-write.ts';
import { run } from '#platform/process/run.ts';
import { fullDiskIn } from './full-disk.ts';
import { codeOf, messageOf, refuse } from './refuse.ts';
import type { Installation } from './server.ts';

/** The builtin provider: an update of the system's libraries cannot change the order of indexes. */
const INITDB_FLAGS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
];

/**
 * Initialises a cluster in another folder and renames it at the end: an interrupted attempt is never
 * taken for data. `durable` waits for the disk.
 */
export async function createCluster(installation: Installation, durable: boolean): Promise<void> {
  const { cluster, user, log } = installation;
  await removeUnfinished(cluster);
  const fresh = join(
    dirname(cluster),
    `${unfinishedPrefix(cluster)}${randomBytes(6).toString('hex')}`,
  );
  const password = passwordFileOf(fresh);
  log(`initialising a database in ${cluster}`);
  await mkdir(fresh);
  await chmod(fresh, 0o700);
  await writeNewPassword(password);
  if (user) {
    await chown(fresh, user.uid, user.gid);
    await chown(password, user.uid, user.gid);
  }
  await initialise(installation, [
    `--pgdata=${fresh}`,
    `--pwfile=${password}`,
    ...(durable ? [] : ['--no-sync']),
  ]);
  await rename(password, passwordFileOf(cluster));
  await rename(fresh, cluster);
}

async function initialise(
  { binaries, cluster, user }: Installation,
  flags: string[],
): Promise<void> {
  const initdb = (locale: string) =>
    run(binaries.initdb, [...INITDB_FLAGS, `--locale=${locale}`, ...flags], {
      user,
      env: binaries.env,
    });
  try {
    // Old systems lack this locale; the builtin provider still knows letters beyond ASCII.
    await initdb('C.UTF-8').catch((error: unknown) =>
      /invalid locale/.test(messageOf(error)) ? initdb('C') : Promise.reject(error),
    );
  } catch (error) {
    const message = messageOf(error);
    throw refuse(fullDiskIn(message, cluster) ?? `could not be initialised: ${message}`);
  }
}

/** Removes interrupted attempts, the password first: a password without a cluster means lost data. */
async function removeUnfinished(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  await rm(passwordFileOf(cluster), { force: true });
  const left = (await readdir(folder)).filter((name) => name.startsWith(unfinishedPrefix(cluster)));
  for (const name of left) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
  await rmdir(cluster).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') {
      throw error;
    }
  });
}

/** Required parts of a cluster. */
const PARTS = ['PG_VERSION', 'base', 'global', 'global/pg_control', 'pg_wal', 'pg_xact'];

/** The prefix of folders in which clusters are initialised. */
const unfinishedPrefix = (cluster: string): string => `${basename(cluster)}.new-`;

/**
 * Returns whether there is a cluster. Throws a Fault if parts of it are missing: a new cluster in its
 * place would look as if all data were lost.
 */
export async function hasCluster(cluster: string): Promise<boolean> {
  const names = await namesIn(cluster);
  if (names.length === 0) {
    await refuseLost(cluster);
    return false;
  }
  const missing: string[] = [];
  for (const part of PARTS) {
    if (!missing.includes(dirname(part)) && !(await exists(join(cluster, part)))) {
      missing.push(part);
    }
  }
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    throw lost(cluster, `is incomplete: ${missing.join(', ')} ${verb} missing`);
  }
  return true;
}

/** Throws a Fault for a password without a cluster, unless one is being created. */
async function refuseLost(cluster: string): Promise<void> {
  const names = await namesIn(dirname(cluster));
  const isBeingMade = names.some((name) => name.startsWith(unfinishedPrefix(cluster)));
  if (!isBeingMade && names.includes(basename(passwordFileOf(cluster)))) {
    throw lost(cluster, 'is missing');
  }
}

const lost = (cluster: string, what: string): Error =>
  refuse(
    `the database in ${cluster} ${what}. Copy the missing parts back, or move ${dirname(cluster)} ` +
      'away, start again and restore a backup with frontdesk restore',
  );

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return [];
    }
    throw refuse(`the data in ${folder} cannot be read: ${messageOf(error)}`);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT',
  );

/** Throws a Fault for data of another version or user. As root, sets owner and mode. */
export async function requireUsable({ cluster, user, binaries }: Installation): Promise<void> {
  const version = await readVersion(cluster);
  if (version !== binaries.major) {
    throw refuse(
      `the data in ${cluster} is of PostgreSQL ${version}, but this release runs ${binaries.major}; ` +
        `back it up with the Frontdesk that wrote it, and restore that into a new data folder`,
    );
  }
  const { uid } = await stat(cluster);
  if (user && uid === 0) {
    // Copied or restored as root.
    await run('chown', ['-R', '-h', `${user.uid}:${user.gid}`, cluster]);
  } else if (!user && uid !== process.getuid?.()) {
    throw refuse(
      `the data in ${cluster} belongs to the user with ID ${uid}; run as that user or as root`,
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

const PASSWORD_BYTES = 32;

const passwordFileOf = (cluster: string): string => `${cluster}.password`;

const writeNewPassword = (file: string): Promise<void> =>
  writeFileAtomically(file, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`);

export async function readPassword(cluster: string): Promise<string> {
  try {
    return (await readFile(passwordFileOf(cluster), 'utf8')).trim();
  } catch (error) {
    const file = passwordFileOf(cluster);
    throw refuse(
      codeOf(error) === 'ENOENT'
        ? `${file} is missing, the password of the database in ${cluster}. Copy it back; DATABASE_URL in frontdesk.env contains it, too`
        : `the password of the data in ${cluster} cannot be read: ${messageOf(error)}`,
    );
  }
}
