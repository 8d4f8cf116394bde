import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { passwordFileOf, writeNewPassword } from './password.ts';
import { codeOf, messageOf, refuse } from './refuse.ts';
import { run } from './run.ts';
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
  await clearTheWay(cluster, log);
  const fresh = `${cluster}.new-${randomBytes(6).toString('hex')}`;
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

/** Removes what broken-off attempts left. What lies in the place itself may be somebody's: it stays. */
async function clearTheWay(cluster: string, log: (line: string) => void): Promise<void> {
  const folder = dirname(cluster);
  const left = (await readdir(folder)).filter((name) =>
    name.startsWith(`${basename(cluster)}.new-`),
  );
  for (const name of left) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
  try {
    await rmdir(cluster);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      const aside = `${cluster}.unfinished-${Date.now()}`;
      log(`${cluster} is no finished database: it is kept as ${aside}`);
      await rename(cluster, aside);
    }
  }
}
