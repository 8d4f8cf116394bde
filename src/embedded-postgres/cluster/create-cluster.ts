import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '#platform/process/run.ts';
import { codeOf, messageOf, refuse } from '../refuse.ts';
import type { Installation } from '../server/server.ts';
import { unfinishedPrefix, passwordFileOf, writeNewPassword } from './find-cluster.ts';

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
