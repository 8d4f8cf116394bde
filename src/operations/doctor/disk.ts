import { statfs } from 'node:fs/promises';
import { fail, ok, warn, type Check, type Finding } from './check.ts';

const GB = 1e9;
const WARN_BELOW_BYTES = 5 * GB;
const FAIL_BELOW_BYTES = GB;

/**
 * Checks the free space of this installation's folders and, if PostgreSQL runs on this machine, of its
 * data directory: PostgreSQL refuses writes on a full disk, and stops if its WAL has no space.
 */
export const disk: Check = {
  name: 'disk',
  async examine({ rows, folders }) {
    const [database] = await rows<{ folder: string | null }>(DATA_DIRECTORY);
    const all = [...new Set([...folders, ...(database?.folder ? [database.folder] : [])])];
    const found = await Promise.all(all.map(freeSpaceIn));
    return judgeFreeSpace(found.filter((one) => one !== undefined));
  },
};

export interface FreeSpace {
  readonly folder: string;
  readonly bytes: number;
}

/** Returns the finding for the fullest disk. */
export function judgeFreeSpace(disks: readonly FreeSpace[]): Finding {
  const [least] = disks.toSorted((one, other) => one.bytes - other.bytes);
  const message = disks.map(described).join(', ') || 'no folder on this machine is used';
  if (!least || least.bytes >= WARN_BELOW_BYTES) {
    return ok(message);
  }
  const fix = `free space at ${least.folder}, or enlarge its disk`;
  return least.bytes < FAIL_BELOW_BYTES ? fail(message, fix) : warn(message, fix);
}

const described = ({ folder, bytes }: FreeSpace): string =>
  `${(bytes / GB).toFixed(1)} GB free at ${folder}`;

/** Returns undefined if the folder is not on this machine, or not readable. */
async function freeSpaceIn(folder: string): Promise<FreeSpace | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return { folder, bytes: bavail * bsize };
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
