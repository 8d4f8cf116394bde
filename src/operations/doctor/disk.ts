import { statfs } from 'node:fs/promises';
import { fail, ok, warn, type Check, type Finding } from './check.ts';

const GB = 1e9;
const WARN_BELOW_BYTES = 5 * GB;
const FAIL_BELOW_BYTES = GB;

/**
 * Room where this process keeps files and, if PostgreSQL is on this machine and says where, on its
 * disk: a database without room takes nothing, and without room for its log it ends.
 */
export const disk: Check = {
  name: 'disk',
  async examine({ rows, folders }) {
    const [database] = await rows<{ folder: string | null }>(DATA_DIRECTORY);
    const all = [...new Set([...folders, ...(database?.folder ? [database.folder] : [])])];
    const found = await Promise.all(all.map(roomIn));
    return judgeRooms(found.filter((room) => room !== undefined));
  },
};

export interface Room {
  readonly folder: string;
  readonly bytes: number;
}

/** The narrowest decides. */
export function judgeRooms(rooms: readonly Room[]): Finding {
  const [least] = rooms.toSorted((one, other) => one.bytes - other.bytes);
  const message = rooms.map(told).join(', ') || 'no disk of this machine is used';
  if (!least || least.bytes >= WARN_BELOW_BYTES) {
    return ok(message);
  }
  const fix = `make room at ${least.folder}, or enlarge its disk`;
  return least.bytes < FAIL_BELOW_BYTES ? fail(message, fix) : warn(message, fix);
}

const told = ({ folder, bytes }: Room): string => `${(bytes / GB).toFixed(1)} GB free at ${folder}`;

/** Undefined where the folder is not of this machine, or not ours to see. */
async function roomIn(folder: string): Promise<Room | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return { folder, bytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

/** Only where the connection does not leave the machine; not everybody may know the folder. */
const DATA_DIRECTORY = `
  select case when (inet_server_addr() is null or inet_server_addr() <<= inet '127.0.0.0/8'
      or inet_server_addr() = inet '::1')
    and pg_has_role(current_user, 'pg_read_all_settings', 'usage')
    then current_setting('data_directory') end as folder`;
