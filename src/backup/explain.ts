import { reasonOf } from '#platform/process/system-error.ts';
import { Fault } from '#core/fault.ts';
import { databaseRefusal } from '#platform/database/database-errors.ts';

/** The file ends before the backup does. */
export class CutOff extends Error {}

/** The file is not what was written. */
export class Altered extends Error {}

/** The message of zlib for a file that does not begin like gzip. */
const NO_GZIP = 'incorrect header check';

const refusal = (message: string) => new Fault('VALIDATION_ERROR', message);

/** Returns the Fault for a file that cannot be read as a backup; other errors unchanged. */
export function mapBackupError(file: string, error: unknown): unknown {
  if (error instanceof Fault) {
    return error;
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof CutOff || code === 'Z_BUF_ERROR') {
    return refusal(`${file} is cut off: its end is missing. Use another backup`);
  }
  if (message === NO_GZIP) {
    return refusal(`${file} is not a Frontdesk backup`);
  }
  if (error instanceof Altered || error instanceof SyntaxError || code.startsWith('Z_')) {
    return refusal(
      `${file} was altered: its contents do not match its checksum. Use another backup`,
    );
  }
  return code.startsWith('E') ? refusal(`${file} cannot be read: ${reasonOf(error)}`) : error;
}

/** PostgreSQL refuses a row: 22…, an invalid value; 23…, a violated constraint. */
const ROWS_REFUSED = /^2[23]...$/;

/** Like `mapBackupError`, for an error while rows are loaded. */
export function rowError(file: string, error: unknown): unknown {
  if (error instanceof Altered) {
    return mapBackupError(file, error);
  }
  const { code = '', constraint } = databaseRefusal(error) ?? {};
  if (!ROWS_REFUSED.test(code)) {
    return raceError(error);
  }
  const why = constraint === undefined ? (error as Error).message : `constraint ${constraint}`;
  return refusal(`${file} contains rows that this database refuses (${why}); nothing was written`);
}

/** Serialization failure, deadlock, lock timeout, missing parent row. */
const RACE = /^(?:40001|40P01|55P03|23503)$/;

export const isRace = (error: unknown): boolean => RACE.test(databaseRefusal(error)?.code ?? '');

/** Returns a Fault if another process wrote to the same rows, or to rows that they refer to. */
export const raceError = (error: unknown): unknown =>
  isRace(error)
    ? new Fault(
        'SERVICE_UNAVAILABLE',
        'another process wrote to the same rows meanwhile; nothing was changed. Run this command again',
      )
    : error;
