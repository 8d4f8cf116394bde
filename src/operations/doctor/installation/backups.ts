import { HOUR_MS } from '#lib/duration.ts';
import { lastBackup } from '../../../backup/backup-folder.ts';
import { VARIABLES } from '#platform/config/environment.ts';
import { ok, warn, type Check } from '../check.ts';

/** Longer than a night: a delay of hours is not reported, a missing backup is. */
const BACKUP_LATE_SECONDS = (36 * HOUR_MS) / 1_000;

/** Checks the age of the last scheduled backup. */
export const backups: Check = {
  name: 'backups',
  async examine({ backupDir }) {
    const last = await lastBackup(backupDir, new Date()).catch((error: Error) => error);
    if (last instanceof Error) {
      return warn(`${backupDir} cannot be read: ${last.message}`, 'let this user read the folder');
    }
    if (last === undefined) {
      const message = `none scheduled here: there is no folder ${backupDir}`;
      return warn(message, backupDir === VARIABLES.backupDir.default ? SCHEDULE : MISSING);
    }
    const hours = Math.floor(last.ageSeconds / 3_600);
    const message =
      last.at === undefined
        ? `none yet; the folder ${backupDir} was created ${hours} h ago`
        : `the last in ${backupDir} is of ${last.at.toISOString()}, ${hours} h ago`;
    if (last.ageSeconds > BACKUP_LATE_SECONDS) {
      return warn(message, LATE);
    }
    return last.ahead === undefined
      ? ok(message)
      : warn(`${message}; ${last.ahead} is named after a time to come`, AHEAD);
  },
};

const SCHEDULE =
  'schedule them: enable frontdesk-backup.timer, or run frontdesk backup scheduled from cron; see docs/backup.md';
const MISSING = 'create the folder, or correct FRONTDESK_BACKUP_DIR';
const AHEAD = 'correct the clock of this machine; delete or rename the backup';
const LATE =
  'see journalctl -u frontdesk-backup; make a backup now with systemctl start frontdesk-backup';
