import { access, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { passwordFileOf } from './password.ts';
import { codeOf, messageOf, refuse } from '../refuse.ts';

/** What every complete cluster has; without one of these PostgreSQL cannot open the others. */
const PARTS = ['PG_VERSION', 'base', 'global', 'global/pg_control', 'pg_wal', 'pg_xact'];

/** How the folders are named in which a cluster is initialised before it gets its place. */
export const unfinishedPrefix = (cluster: string): string => `${basename(cluster)}.new-`;

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
