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
import { codeOf, messageOf, refuse } from './refuse.ts';
import type { Installation } from './server.ts';

/** The builtin provider: no library of the machine can change the order under our indexes. */
const INITDB_FLAGS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
];

/**
 * Initialises aside and renames at the end, so that what was broken off is never taken for data.
 * `durable` waits for the disk.
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

async function initialise({ binaries, user }: Installation, flags: string[]): Promise<void> {
  const initdb = (locale: string) =>
    run(binaries.initdb, [...INITDB_FLAGS, `--locale=${locale}`, ...flags], {
      user,
      env: binaries.env,
    });
  try {
    // Old systems have no such locale; then only the builtin provider knows letters beyond ASCII.
    await initdb('C.UTF-8').catch((error: unknown) =>
      /invalid locale/.test(messageOf(error)) ? initdb('C') : Promise.reject(error),
    );
  } catch (error) {
    throw refuse(`could not be initialised: ${messageOf(error)}`);
  }
}

/** Removes what interrupted attempts left, the password first: alone it is a sign of lost data. */
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

/** What every complete cluster has; without one of these PostgreSQL cannot open the others. */
const PARTS = ['PG_VERSION', 'base', 'global', 'global/pg_control', 'pg_wal', 'pg_xact'];

/** How the folders are named in which a cluster is initialised before it gets its place. */
const unfinishedPrefix = (cluster: string): string => `${basename(cluster)}.new-`;

/**
 * Returns whether there is a cluster; false where one is still to be created. Throws a Fault where a
 * cluster has lost parts: a new one in its place would look as if all data were gone.
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

/** A password without a cluster, and without an attempt to create one: there was a cluster. */
async function refuseLost(cluster: string): Promise<void> {
  const names = await namesIn(dirname(cluster));
  const isBeingMade = names.some((name) => name.startsWith(unfinishedPrefix(cluster)));
  if (!isBeingMade && names.includes(basename(passwordFileOf(cluster)))) {
    throw lost(cluster, 'is missing');
  }
}

const lost = (cluster: string, what: string): Error =>
  refuse(
    `the database in ${cluster} ${what}. Copy back what is missing, or move ${dirname(cluster)} ` +
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

const PASSWORD_BYTES = 32;

const passwordFileOf = (cluster: string): string => `${cluster}.password`;

const writeNewPassword = (file: string): Promise<void> =>
  writeFileAtomically(file, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`);

export async function readPassword(cluster: string): Promise<string> {
  try {
    return (await readFile(passwordFileOf(cluster), 'utf8')).trim();
  } catch (error) {
    throw refuse(`the password of the data in ${cluster} is not to be had: ${messageOf(error)}`);
  }
}
