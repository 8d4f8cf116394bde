import { Fault } from '#core/fault.ts';
import { databaseRefusal } from '#platform/database/database-errors.ts';

/** The file ends before the backup does. */
export class CutOff extends Error {}

/** What was read is not what was written. */
export class Altered extends Error {}

/** As zlib says it of what does not begin like gzip. */
const NO_GZIP = 'incorrect header check';

const refusal = (message: string) => new Fault('VALIDATION_ERROR', message);

/** What is wrong with a file that could not be read as a backup. */
export function mapBackupError(file: string, error: unknown): unknown {
  if (error instanceof Fault) {
    return error;
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof CutOff || code === 'Z_BUF_ERROR') {
    return refusal(`${file} is cut off: the end of the file is missing`);
  }
  if (message === NO_GZIP) {
    return refusal(`${file} is no backup of Frontdesk`);
  }
  if (error instanceof Altered || error instanceof SyntaxError || code.startsWith('Z_')) {
    return refusal(`${file} was altered: what it holds is not what its checksum says`);
  }
  return code.startsWith('E') ? refusal(`${file} cannot be read: ${message}`) : error;
}

/** What PostgreSQL has against rows: values that are none, or that a constraint refuses. */
const ROWS_REFUSED = /^2[23]...$/;

/** The same of rows that the database refused; in a whole file it is not the file that is wrong. */
export function rowError(file: string, error: unknown): unknown {
  if (error instanceof Altered) {
    return mapBackupError(file, error);
  }
  const { code = '', constraint } = databaseRefusal(error) ?? {};
  if (!ROWS_REFUSED.test(code)) {
    return raceError(error);
  }
  const why = constraint === undefined ? (error as Error).message : `against ${constraint}`;
  return refusal(`${file} has rows that do not fit (${why}); nothing was written`);
}

/** Somebody else wrote to the same rows, or to what they refer to, at the same time. */
const RACE = /^(?:40001|40P01|55P03|23503)$/;

export const raceError = (error: unknown): unknown =>
  RACE.test(databaseRefusal(error)?.code ?? '')
    ? new Fault('SERVICE_UNAVAILABLE', 'somebody wrote to the same rows meanwhile; run this again')
    : error;
