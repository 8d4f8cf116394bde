import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const MB = 1e6;
const GB = 1e9;

/** The space of a disk that is free for this process. */
export interface FreeSpace {
  readonly bytes: number;
  /** The size of the disk. */
  readonly ofBytes: number;
}

/** Below this, PostgreSQL cannot write its next segments of 16 MB. */
export const FULL_BELOW_BYTES = 64 * MB;

/**
 * 1 GB; on a small disk a tenth of it. `doctor` fails below it, and files of visitors are refused: the
 * database is often on the same disk, and serves no request once that is full.
 */
export const reserveOf = (diskBytes: number): number =>
  Math.min(GB, Math.max(FULL_BELOW_BYTES, diskBytes / 10));

/** The sender of a file. The team and programs with a key may use half of what visitors leave free. */
export type Uploader = 'visitor' | 'team';

const reserveFor = (uploader: Uploader, diskBytes: number): number =>
  uploader === 'visitor'
    ? reserveOf(diskBytes)
    : Math.max(FULL_BELOW_BYTES, reserveOf(diskBytes) / 2);

/** Returns the space of a folder's disk. Throws if the folder does not exist or cannot be read. */
export async function freeSpaceIn(folder: string): Promise<FreeSpace & { device: number }> {
  const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
  return { bytes: bavail * bsize, ofBytes: blocks * bsize, device: dev };
}

/** Like `freeSpaceIn`, for a folder that the first file creates; undefined if it is not known. */
export async function freeSpaceFor(folder: string): Promise<FreeSpace | undefined> {
  try {
    return await freeSpaceIn(folder);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(folder) !== folder ? freeSpaceFor(dirname(folder)) : undefined;
  }
}

/** How long a measured space is used. Files that are accepted meanwhile are subtracted. */
const MEASURED_FOR_MS = 2_000;

interface SpaceOptions {
  /** Returns undefined if the space is unknown, as that of a bucket is: then every file is accepted. */
  readonly measure: () => Promise<FreeSpace | undefined>;
  readonly now?: () => number;
}

/** Returns a function that says whether a file leaves enough free space, and counts it if it does. */
export function openSpace({ measure, now = () => performance.now() }: SpaceOptions) {
  let measured: Promise<FreeSpace | undefined> | undefined;
  let until = 0;
  let accepted = 0;
  return async (bytes: number, uploader: Uploader): Promise<boolean> => {
    if (measured === undefined || now() >= until) {
      measured = measure();
      until = now() + MEASURED_FOR_MS;
      accepted = 0;
    }
    const disk = await measured;
    if (!disk || disk.ofBytes === 0) {
      return true;
    }
    const isEnough = disk.bytes - accepted - bytes >= reserveFor(uploader, disk.ofBytes);
    accepted += isEnough ? bytes : 0;
    return isEnough;
  };
}
