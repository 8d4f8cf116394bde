import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryConfig } from 'pg';
import { backOff, isConflict } from '../database/database-errors.ts';
import type { Logger } from '../config/logger.ts';

/** Ids in one statement at most. */
const BATCH_MAX = 500;
const TRY_AGAIN_MS = 500;

/** Jobs that failed together. */
export interface FailedJobs {
  readonly ids: readonly string[];
  /** Those that were claimed with attempts left. */
  readonly retryable: readonly string[];
  /** Those that failed because the database was unavailable. */
  readonly cutOff: readonly string[];
}

/** Records in the queue how jobs of one lane ended. */
export interface Finishing {
  /** Deletes a job that is done. Resolves once it is deleted or given up; never rejects. */
  complete(id: string): Promise<void>;
  /** Runs the queue's own statement that ends these jobs. Never rejects. */
  run(statement: QueryConfig, ids: readonly string[]): Promise<void>;
  /**
   * Records that jobs failed, by the queue's own statement. Those that were superseded are deleted:
   * the queue would keep them as failed for good. Those that failed because the database was
   * unavailable are due again at once, and the attempt does not count.
   */
  fail(statement: QueryConfig, failed: FailedJobs): Promise<void>;
  /** Ids of jobs whose end is not recorded yet. */
  pending(): readonly string[];
  /** Resolves once nothing is pending. */
  settled(): Promise<void>;
  /** Ends the retries: what is still pending stays locked by the lane. */
  giveUp(): void;
}

/**
 * Replaces the batching of graphile-worker 0.18.0, whose retry loop ends at the first error and then
 * never takes another job. Here a statement is repeated until PostgreSQL accepts it, whether it was
 * the victim of a deadlock or the database was away. While one delete is under way, finished jobs are
 * collected for the next.
 */
export function openFinishing(pool: Pool, owner: () => string, log: Logger): Finishing {
  const givenUp = new AbortController();
  const waiting = new Set<string>();
  let deleting: readonly string[] = [];
  const running = new Set<readonly string[]>();
  let flushing: Promise<void> | undefined;
  const settling = new Set<Promise<void>>();

  const track = (ending: Promise<void>) => {
    settling.add(ending);
    void ending.then(() => settling.delete(ending));
    return ending;
  };
  const flush = async () => {
    // One turn of the event loop: jobs that end together are deleted together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      deleting = [...waiting].slice(0, BATCH_MAX);
      deleting.forEach((id) => waiting.delete(id));
      await persist(() => pool.query({ ...COMPLETE, values: [deleting, owner()] }));
      deleting = [];
    }
    flushing = undefined;
  };
  const persist = (write: () => Promise<unknown>) => writeUntilAccepted(write, givenUp.signal, log);

  return {
    complete(id) {
      waiting.add(id);
      return (flushing ??= track(flush()));
    },
    async run(statement, ids) {
      running.add(ids);
      await track(persist(() => pool.query(statement)));
      running.delete(ids);
    },
    async fail(statement, failed) {
      running.add(failed.ids);
      await track(persist(() => recordFailure(pool, owner(), statement, failed)));
      running.delete(failed.ids);
    },
    pending: () => [...waiting, ...deleting, ...[...running].flat()],
    async settled() {
      while (settling.size > 0) {
        await Promise.all(settling);
      }
    },
    giveUp: () => givenUp.abort(),
  };
}

async function recordFailure(
  pool: Pool,
  owner: string,
  statement: QueryConfig,
  { ids, retryable, cutOff }: FailedJobs,
): Promise<void> {
  if (retryable.length > 0) {
    await pool.query({ ...DROP_SUPERSEDED, values: [retryable, owner] });
  }
  // Not both: the lane may have claimed a job again before the queue's statement runs.
  const isCutOff = cutOff.length === ids.length;
  await pool.query(isCutOff ? { ...RUN_AGAIN, values: [cutOff, owner] } : statement);
}

async function writeUntilAccepted(
  write: () => Promise<unknown>,
  givenUp: AbortSignal,
  log: Logger,
): Promise<void> {
  for (let attempt = 1; !givenUp.aborted; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (isConflict(error)) {
        log.debug({ err: error }, 'end of a job not recorded: conflict; trying again');
        await backOff(attempt, givenUp);
      } else {
        log.warn({ err: error }, 'end of a job not recorded; trying again');
        await sleep(TRY_AGAIN_MS, undefined, { signal: givenUp }).catch(() => undefined);
      }
    }
  }
}

/**
 * Locks in the order of ids, as every statement over several jobs does. A job that has another owner
 * by now was given to that one because this worker seemed dead.
 */
const COMPLETE = {
  name: 'frontdesk_complete_jobs',
  text: `with done as materialized (
      select id from graphile_worker._private_jobs
      where id = any($1::bigint[]) and locked_by = $2
      order by id for update
    )
    delete from graphile_worker._private_jobs j using done where j.id = done.id`,
};

/** `add_jobs` takes the key of a running job for its successor, and spends all of its attempts. */
const DROP_SUPERSEDED = {
  name: 'frontdesk_drop_superseded_jobs',
  text: `with superseded as materialized (
      select id from graphile_worker._private_jobs
      where id = any($1::bigint[]) and locked_by = $2 and key is null and attempts >= max_attempts
      order by id for update
    )
    delete from graphile_worker._private_jobs j using superseded s where j.id = s.id`,
};

const RUN_AGAIN = {
  name: 'frontdesk_run_cut_off_jobs_again',
  text: `with cut_off as materialized (
      select id from graphile_worker._private_jobs
      where id = any($1::bigint[]) and locked_by = $2
      order by id for update
    )
    update graphile_worker._private_jobs j
    set attempts = greatest(0, attempts - 1), run_at = now(), locked_at = null, locked_by = null
    from cut_off c where j.id = c.id`,
};
