import type { JobContext } from '#core/job.ts';
import { isConflict, isDatabaseAway } from '../database/database-errors.ts';

/** The attempt after which an unexpected error is final: 3.5 hours after the first one. */
const ATTEMPTS_MAX = 10;
/** A mistake in the program fails the same way each time; the attempts take ten seconds. */
const ATTEMPTS_OF_BUG_MAX = 3;

/** A job is given up once this many workers in a row have ended while they ran it. */
export const DEATHS_MAX = 3;
/** The error of such a job, and of the record that it belongs to. */
export const ENDED_ITS_WORKERS =
  `${DEATHS_MAX} workers in a row ended while they did this, for example out of memory` as const;

const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Whether the database or the end of the worker caused the error, not the work itself. */
export const isInterruption = (error: unknown, { signal }: Pick<JobContext, 'signal'>): boolean =>
  signal.aborted || isDatabaseAway(error) || isConflict(error);

/** Whether a job shall record an unexpected error as the end of its work, instead of throwing it again. */
export function isFinal(error: unknown, context: Pick<JobContext, 'signal' | 'attempt'>): boolean {
  const isBug = BUGS.some((kind) => error instanceof kind);
  return (
    !isInterruption(error, context) &&
    context.attempt >= (isBug ? ATTEMPTS_OF_BUG_MAX : ATTEMPTS_MAX)
  );
}
