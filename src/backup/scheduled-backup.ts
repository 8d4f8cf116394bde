import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStore } from '#core/files.ts';
import type { Secrets } from '#core/secrets.ts';
import { Fault } from '#core/fault.ts';
import { DAY_MS } from '#lib/duration.ts';
import { makeFolders } from '#platform/files/make-folders.ts';
import { backupName, scheduledFiles, UNVERIFIED } from './backup-folder.ts';
import { checkBackup, requireItsKey } from './check-backup.ts';
import type { FileTotals } from './format.ts';
import { writeBackup, type Written } from './write-backup.ts';

interface ScheduledBackupInput {
  readonly url: string;
  readonly folder: string;
  /** How many backups stay, the new one included. */
  readonly keep: number;
  readonly product: string;
  readonly files: FileStore;
  /** Checks that the backup belongs to this key. */
  readonly secrets: Secrets | undefined;
  readonly now: Date;
  readonly onProgress?: (rows: number, share: number) => void;
}

interface ScheduledBackup extends Written {
  /** The paths of the old files that were removed. */
  readonly removed: readonly string[];
}

/**
 * Writes a backup to the folder, verifies it, and only then removes the oldest. A backup that is not
 * verified never has the name of a backup. Throws a Fault if the folder or the backup is unusable, or most
 * files are missing.
 */
export async function takeScheduledBackup(input: ScheduledBackupInput): Promise<ScheduledBackup> {
  const { folder, keep, secrets, now } = input;
  await makeFolders(folder, 0o700).catch((error: unknown) => {
    throw unusable(folder, error);
  });
  const file = join(folder, backupName(now));
  const draft = `${file}${UNVERIFIED}`;
  try {
    const written = await writeBackup({ ...input, file: draft });
    const { header } = await checkBackup(draft);
    if (secrets) {
      requireItsKey(draft, header, secrets);
    }
    await rename(draft, file);
    refuseWithoutFiles(file, written.files);
    return { ...written, file, removed: await removeOld({ folder, keep, now, file }) };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Throws a Fault if most files are missing, as with a volume that is not mounted: the older backups may be the
 * only ones that have them.
 */
function refuseWithoutFiles(file: string, { count, missing }: FileTotals): void {
  if (missing > count) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `${file} was written, but ${missing} of ${count + missing} files are missing in the storage. The older backups are kept: mount or correct the storage. If the files are lost for good, delete old backups yourself`,
    );
  }
}

const unusable = (folder: string, error: unknown): Fault =>
  new Fault(
    'VALIDATION_ERROR',
    `FRONTDESK_BACKUP_DIR: ${folder} cannot be created: ${(error as Error).message}`,
  );

interface RemoveInput {
  readonly folder: string;
  readonly keep: number;
  readonly now: Date;
  /** The new backup. It stays even if the clock was put back and other names look newer. */
  readonly file: string;
}

/** Removes old backups, and what interrupted runs left a day ago or earlier. Returns their paths. */
async function removeOld({ folder, keep, now, file }: RemoveInput): Promise<readonly string[]> {
  const files = (await scheduledFiles(folder, now)).filter(({ path }) => path !== file);
  const old = files.filter(({ isBackup }) => isBackup).slice(keep - 1);
  const left = files.filter(
    ({ isBackup, at }) => !isBackup && now.getTime() - at.getTime() > DAY_MS,
  );
  const paths = [...old, ...left].map(({ path }) => path);
  for (const path of paths) {
    await rm(path, { force: true });
  }
  return paths;
}
