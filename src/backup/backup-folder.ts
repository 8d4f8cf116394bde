import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '#lib/duration.ts';

/** A scheduled backup: `frontdesk-20261201T030000Z.backup`, by its time in UTC. */
const NAME = /^frontdesk-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup/;
const REST = /^(?:\.unverified(?:\.[\da-f-]{36}\.part)?)?$/;

/** The suffix of a backup that is not verified yet. */
export const UNVERIFIED = '.unverified';

export interface ScheduledFile {
  readonly path: string;
  readonly at: Date;
  /** False for what an interrupted run left. */
  readonly isBackup: boolean;
  /** Named by a clock that was ahead: its real time is unknown. */
  readonly isAhead: boolean;
}

/** Clocks of machines that share a folder differ a little. */
const AHEAD_MS = 5 * MINUTE_MS;

export const backupName = (at: Date): string =>
  `frontdesk-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`;

/** Returns the time in a name that `backupName` made, also of its unfinished file. */
export function timeInName(name: string): Date | undefined {
  const [whole = '', ...parts] = NAME.exec(name) ?? [];
  if (!whole || !REST.test(name.slice(whole.length))) {
    return undefined;
  }
  const [year, month, day, hours, minutes, seconds] = parts;
  const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/**
 * Returns the files that scheduled backups wrote, newest first, and those that are named after a time
 * ahead of now last. Other files are left out.
 */
export async function scheduledFiles(folder: string, now: Date): Promise<readonly ScheduledFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const at = entry.isFile() ? timeInName(entry.name) : undefined;
    const isBackup = entry.name.endsWith('.backup');
    const isAhead = at !== undefined && at.getTime() - now.getTime() > AHEAD_MS;
    return at === undefined ? [] : [{ path: join(folder, entry.name), at, isBackup, isAhead }];
  });
  return files.toSorted(
    (one, other) =>
      Number(one.isAhead) - Number(other.isAhead) || other.at.getTime() - one.at.getTime(),
  );
}

export interface LastBackup {
  /** The newest scheduled backup; undefined if there is none yet. */
  readonly at: Date | undefined;
  /** Seconds since it, or since the folder was created. */
  readonly ageSeconds: number;
  /** The path of a backup that a clock ahead has named. */
  readonly ahead: string | undefined;
}

/** Returns undefined if there is no such folder. Throws if it cannot be read. */
export async function lastBackup(folder: string, now: Date): Promise<LastBackup | undefined> {
  try {
    const all = (await scheduledFiles(folder, now)).filter(({ isBackup }) => isBackup);
    const last = all.find(({ isAhead }) => !isAhead);
    const since = last?.at ?? (await stat(folder)).birthtime;
    return {
      at: last?.at,
      ageSeconds: Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000)),
      ahead: all.find(({ isAhead }) => isAhead)?.path,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
