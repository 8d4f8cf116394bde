import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';

const FAILING_SHOWN = 20;

/** A job whose last attempt failed: it is tried again at `runAt`, or never where `isGivenUp`. */
interface FailingJob {
  readonly task: string;
  readonly attempts: number;
  readonly isGivenUp: boolean;
  readonly lastError: string;
  readonly runAt: string;
}

export interface QueueStatus {
  /** Jobs that run or could run now, and events that wait to be published. */
  readonly depth: number;
  /** Since when the oldest of them is due. */
  readonly oldest: string | null;
  /** Jobs whose last attempt failed, also those that are not tried again. */
  readonly failing: number;
  /** The latest of those. */
  readonly failingJobs: readonly FailingJob[];
  /** Events that no publisher has taken yet. */
  readonly unpublished: number;
}

/** How the queue of the whole installation stands. */
export async function queueStatus(view: Pick<View, 'rows'>): Promise<QueueStatus> {
  const [figures] = await view.rows<Omit<QueueStatus, 'failingJobs'>>(FIGURES, []);
  const failingJobs = await view.rows<FailingJob>(FAILING, [FAILING_SHOWN]);
  if (!figures) {
    throw new Error('an aggregate returned no row');
  }
  const { depth, oldest, failing, unpublished } = figures;
  return { depth, oldest, failing, failingJobs, unpublished };
}

/** The attempt that runs counts already, so that one which is held may still be the last. */
const IS_GIVEN_UP = 'j.locked_at is null and j.attempts >= j.max_attempts';

const FIGURES = `select count(*) filter (where is_due) + (select count(*) from outbox) as depth,
    ${isoText('min(run_at) filter (where is_due)')} as oldest,
    count(*) filter (where last_error is not null) as failing,
    (select count(*) from outbox) as unpublished
  from (
    select run_at, last_error, run_at <= now() and not (${IS_GIVEN_UP}) as is_due
    from graphile_worker._private_jobs j
  ) as jobs`;

const FAILING = `select t.identifier as task, j.attempts, ${IS_GIVEN_UP} as "isGivenUp",
    j.last_error as "lastError", ${isoText('j.run_at')} as "runAt"
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.last_error is not null
  order by j.updated_at desc, j.id desc limit $1`;
