import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../config/logger.ts';

export type ActivityKind = 'request' | 'stream' | 'job';

/** The unit of work that code runs for, and that uncaught errors belong to. */
export interface Activity {
  readonly kind: ActivityKind;
  /** A request id, as in responses and log lines, or `job-` and the id of a job. */
  readonly id: string;
  /** Once it is known. */
  readonly subAccountId?: string | undefined;
}

interface RunningActivity extends Activity {
  subAccountId?: string | undefined;
  fail?: (error: unknown) => void;
}

const activities = new AsyncLocalStorage<RunningActivity>();

/** Runs code, and everything it starts, as part of an activity. */
export const inActivity = <R>({ kind, id, subAccountId }: Activity, run: () => R): R =>
  activities.run({ kind, id, subAccountId }, run);

/** Says which sub-account the current activity works for. */
export function workFor(subAccountId: string | undefined): void {
  const activity = activities.getStore();
  if (activity) {
    activity.subAccountId = subAccountId;
  }
}

export const currentActivity = (): Activity | undefined => activities.getStore();

/**
 * Returns what `run` returns. Rejects with an exception that escapes a callback of the current
 * activity: what waits for that callback would otherwise wait forever.
 */
export async function untilEscaped<R>(run: () => R | Promise<R>): Promise<R> {
  const activity = activities.getStore();
  if (!activity) {
    return run();
  }
  const escaped = Promise.withResolvers<never>();
  activity.fail = escaped.reject;
  return Promise.race([run(), escaped.promise]);
}

/**
 * Logs and counts an error that escaped an activity, and fails the activity if it was an exception.
 * Returns false if the error belongs to no activity.
 */
export function containEscaped(
  log: Pick<Logger, 'error'>,
  error: unknown,
  origin: 'exception' | 'rejection',
): boolean {
  const activity = activities.getStore();
  if (!activity) {
    return false;
  }
  const { kind, id, fail } = activity;
  escapedCounts[kind] += 1;
  log.error(
    { err: error, activity: kind, requestId: id, origin },
    'an error escaped; this is a bug',
  );
  if (origin === 'exception') {
    fail?.(error);
  }
  return true;
}

const escapedCounts: Record<ActivityKind, number> = { request: 0, stream: 0, job: 0 };

/** Returns the number of errors that escaped activities of this process. */
export const escapedErrors = (): Readonly<Record<ActivityKind, number>> => ({ ...escapedCounts });
