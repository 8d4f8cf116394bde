import { isAbsolute } from 'node:path';
import {
  FULL_BELOW_BYTES,
  freeSpaceIn,
  reserveOf,
  type FreeSpace,
} from '#platform/files/storage/free-space.ts';
import { fail, ok, warn, type Check, type Examined, type Finding } from '../check.ts';

const MB = 1e6;
const GB = 1e9;

/**
 * Checks the free space of this installation's folders, of the folder of uploaded files and, if
 * PostgreSQL runs on this machine, of its data directory: PostgreSQL refuses writes on a full disk, and
 * stops if its WAL has no space. Works without a database, which a full disk may have ended.
 */
export const disk: Check = {
  name: 'disk',
  async examine({ rows, folders, files }) {
    const database = await databaseFolder({ rows });
    const uploads = isAbsolute(files.place) ? [files.place] : [];
    const found = await Promise.all([...folders, ...uploads, ...database].map(spaceOf));
    return judgeFreeSpace(onePerDisk(found.filter((one) => one !== undefined)));
  },
};

/** Returns no folder if the database is unavailable or remote. */
async function databaseFolder({ rows }: Pick<Examined, 'rows'>): Promise<readonly string[]> {
  const [found] = await rows<{ folder: string | null }>(DATA_DIRECTORY).catch(() => []);
  return found?.folder ? [found.folder] : [];
}

/** The space of the disk of a folder. */
export interface DiskSpace extends FreeSpace {
  readonly folder: string;
}

/** A folder with the number of its disk. */
interface FolderSpace extends DiskSpace {
  readonly device: number;
}

const onePerDisk = (found: readonly FolderSpace[]): readonly FolderSpace[] =>
  found.filter(({ device }, index) => found.findIndex((one) => one.device === device) === index);

/** 5 GB; on a small disk a fifth of it, so that an empty one is not reported. */
const warnBelow = (size: number): number =>
  Math.min(5 * GB, Math.max(2 * FULL_BELOW_BYTES, size / 5));

/** Returns the finding for the disk that is nearest to its limit. */
export function judgeFreeSpace(disks: readonly DiskSpace[]): Finding {
  const [least, ...others] = disks.toSorted((one, other) => marginOf(one) - marginOf(other));
  const message = disks.map(described).join(', ') || 'no folder on this machine is used';
  if (!least || least.bytes >= warnBelow(least.ofBytes)) {
    return ok(message);
  }
  if (least.bytes < FULL_BELOW_BYTES) {
    return fail(
      [
        `the disk of ${least.folder} is full: ${freeText(least)} free`,
        ...others.map(described),
      ].join('; '),
      `free some at ${least.folder}, then start what has stopped; a full disk loses no stored data`,
    );
  }
  const fix = `free space at ${least.folder}, or enlarge its disk`;
  return least.bytes < reserveOf(least.ofBytes) ? fail(message, fix) : warn(message, fix);
}

const marginOf = ({ bytes, ofBytes }: DiskSpace): number => bytes / reserveOf(ofBytes);

const described = (disk: DiskSpace): string => `${freeText(disk)} free at ${disk.folder}`;

const freeText = ({ bytes, ofBytes }: DiskSpace): string =>
  `${sizeText(bytes)} of ${sizeText(ofBytes)}`;

/** Returns `1.5 GB` or `650 MB`. */
const sizeText = (bytes: number): string =>
  bytes < GB ? `${Math.floor(bytes / MB)} MB` : `${(bytes / GB).toFixed(1)} GB`;

/** Returns undefined if the folder is not on this machine, or not readable. */
async function spaceOf(folder: string): Promise<FolderSpace | undefined> {
  try {
    return { folder, ...(await freeSpaceIn(folder)) };
  } catch {
    return undefined;
  }
}

/** Null unless the connection is local and the role may read the setting. */
const DATA_DIRECTORY = `
  select case when (inet_server_addr() is null or inet_server_addr() <<= inet '127.0.0.0/8'
      or inet_server_addr() = inet '::1')
    and pg_has_role(current_user, 'pg_read_all_settings', 'usage')
    then current_setting('data_directory') end as folder`;
