import { access, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { run } from '#platform/process/run.ts';
import type { Place, ServerUser } from '../cluster/server-user.ts';
import { messageOf, SET_DATABASE_URL, refuse, codeOf } from '../refuse.ts';
import { copyNative, sharedFolder } from './copy-native.ts';
import type { Native } from './locate-native.ts';

/** Programs that the server's user can run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly env: Readonly<Record<string, string>>;
  /** As PG_VERSION in a data folder tells it. */
  readonly major: string;
}

type Options = Native & Place & { readonly log: (line: string) => void };

/**
 * Takes the binaries where npm put them, or a copy where their folder cannot be written to or the
 * server's user cannot reach them, as in a checkout under /root.
 */
export async function readyBinaries(options: Options): Promise<Binaries> {
  const { native, version, cluster, user, log } = options;
  try {
    return await linkedBinaries(native, user);
  } catch (first) {
    requireGlibc();
    let last = first;
    for (const folder of await foldersForACopy(cluster, user)) {
      try {
        const copy = await copyNative(native, join(folder, `postgres-${version}`), log);
        return await linkedBinaries(copy, user);
      } catch (error) {
        last = error;
      }
    }
    throw unusable(last, user);
  }
}

async function linkedBinaries(native: string, user: ServerUser | undefined): Promise<Binaries> {
  await linkLibraries(native);
  const postgres = join(native, 'bin/postgres');
  const libraries = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const env = { [libraries]: join(native, 'lib') };
  // Nothing but trying tells whether a user can reach and run a file.
  const version = await run(postgres, ['--version'], { user, env });
  const major = /\s(\d+)\./.exec(version)?.[1] ?? '';
  return { postgres, initdb: join(native, 'bin/initdb'), env, major };
}

/** As root one copy serves all data folders; beside the data is where we can write in any case. */
async function foldersForACopy(
  cluster: string,
  user: ServerUser | undefined,
): Promise<readonly string[]> {
  const shared = user && (await sharedFolder(user));
  return [...(shared ? [shared] : []), dirname(cluster)];
}

function unusable(reason: unknown, user: ServerUser | undefined): Error {
  const who = user ? `as user ${user.name}` : 'here';
  return refuse(`cannot be run ${who} (${messageOf(reason)}); ${SET_DATABASE_URL}`);
}

function requireGlibc(): void {
  if (isMusl()) {
    throw refuse(`its binaries need glibc, this system has musl; ${SET_DATABASE_URL}`);
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') {
    return false;
  }
  // Names of peers would be looked up else, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links between shared libraries that npm packages cannot carry and that the package's
 * install script would have made. Without them `initdb` picks the machine's own libraries.
 */
async function linkLibraries(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    // Both are told from the folder above, and a copy of the folder has another name.
    const link = join(native, relative('native', target));
    if (!(await leadsSomewhere(link))) {
      await rm(link, { force: true });
      await symlink(relative(dirname(target), source), link).catch(ignoreMadeByOthers);
    }
  }
}

async function readLinks(native: string): Promise<readonly Link[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

const leadsSomewhere = (link: string): Promise<boolean> =>
  access(link).then(
    () => true,
    () => false,
  );

function ignoreMadeByOthers(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') {
    throw error;
  }
}
