import { dirname, join } from 'node:path';
import { copyNative } from './copy-native.ts';
import { linkLibraries } from './link-libraries.ts';
import type { Native } from './locate-native.ts';
import { messageOf, SET_DATABASE_URL, refuse } from '../refuse.ts';
import { run } from '#platform/process/run.ts';
import type { Place, ServerUser } from '../cluster/server-user.ts';
import { sharedFolder } from './shared-folder.ts';

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
