import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { FAILING_JOBS, JOB_STATES } from '#platform/queue/private-tables.ts';

const FAILING_SHOWN = 20;

/** A job whose last attempt failed. It is retried at `runAt`, or never if `isGivenUp`. */
interface FailingJob {
  readonly task: string;
  readonly attempts: number;
  readonly isGivenUp: boolean;
  readonly lastError: string;
  readonly runAt: string;
}

export interface QueueStatus {
  /** Jobs that are running or due, and events that wait to be published. */
  readonly depth: number;
  /** When the oldest of them became due. */
  readonly oldest: string | null;
  /** Jobs whose last attempt failed, including those that are not retried. */
  readonly failing: number;
  /** Those that are not retried. */
  readonly givenUp: number;
  /** The latest failing jobs. */
  readonly failingJobs: readonly FailingJob[];
  /** Events that are not published yet. */
  readonly unpublished: number;
}

/** Returns the state of the installation's queue. */
export async function queueStatus(view: Pick<View, 'rows'>): Promise<QueueStatus> {
  const [figures] = await view.rows<Omit<QueueStatus, 'failingJobs'>>(FIGURES, []);
  const failingJobs = await view.rows<FailingJob>(FAILING_JOBS, [FAILING_SHOWN]);
  if (!figures) {
    throw new Error('an aggregate returned no row');
  }
  const { depth, oldest, failing, givenUp, unpublished } = figures;
  return { depth, oldest, failing, givenUp, failingJobs, unpublished };
}

const FIGURES = `select count(*) filter (where is_due) + (select count(*) from outbox) as depth,
    ${isoText('min(run_at) filter (where is_due)')} as oldest,
    count(*) filter (where last_error is not null) as failing,
    count(*) filter (where last_error is not null and is_given_up) as "givenUp",
    (select count(*) from outbox) as unpublished
  from (${JOB_STATES}) as jobs`;
