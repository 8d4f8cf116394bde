import type { Pool, PoolClient, QueryConfig } from 'pg';
import { sleep } from '#lib/abort.ts';
import { backOff, isConflict, retryConflicts } from '../database/database-errors.ts';
import type { Logger } from '../config/logger.ts';
import type { LaneShares } from './lane-shares.ts';
import {
  COMPLETE_JOBS,
  DROP_SUPERSEDED_JOBS,
  failedIds,
  fetchWithout,
  GRAPHILE_STATEMENTS,
  RUN_CUT_OFF_JOBS_AGAIN,
} from './private-tables.ts';

interface Routes {
  readonly finishing: Finishing;
  /** Returns, and forgets, what the lane knows of jobs that failed. */
  readonly takeFailed: (ids: readonly string[]) => FailedJobs;
  /** False while the lane shall take no more jobs. */
  readonly mayFetch: () => boolean;
  /** True once the lane has to stop: it also gives back jobs that it has fetched. */
  readonly isStopping: () => boolean;
  readonly shares: LaneShares;
  /** Makes jobs that the lane fetched, but will not run, due again. */
  readonly requeue: (ids: readonly string[]) => Promise<void>;
  /** Called when a statement that fetches jobs begins and when it has ended, either way. */
  readonly onFetch: (phase: 'begun' | 'ended') => void;
}

/**
 * The pool as graphile-worker gets it. It does not wait for the statements that record the end of a
 * job, and a rejection of one would end the process: `finishing` takes them over. A client is taken
 * from the pool with the first statement that needs one.
 */
export function openLanePool(pool: Pool, routes: Routes): Pool {
  const connect = (callback?: Parameters<Pool['connect']>[0]) =>
    // With a callback graphile-worker asks for the session that listens for notices.
    callback ? pool.connect(callback) : Promise.resolve(openLazyClient(pool, routes));
  const query = (...given: Parameters<Pool['query']>) =>
    retryConflicts(() => pool.query(...given) as unknown as Promise<unknown>);
  return Object.assign(Object.create(pool) as Pool, { connect, query });
}

function openLazyClient(pool: Pool, routes: Routes) {
  const { finishing, takeFailed, onFetch } = routes;
  let opening: Promise<PoolClient> | undefined;
  const run = async (...given: Parameters<PoolClient['query']>) => {
    const client = await (opening ??= pool.connect());
    return client.query(...given) as unknown;
  };
  const fetch = async (statement: QueryConfig, skipped: readonly string[]) => {
    const client = await (opening ??= pool.connect());
    if (!routes.mayFetch()) {
      return NO_ROWS;
    }
    const fetching = skipped.length > 0 ? fetchWithout(statement, skipped) : statement;
    const found = await client.query<{ id: string }>(fetching);
    if (!routes.isStopping() || found.rows.length === 0) {
      return found;
    }
    await routes.requeue(found.rows.map(({ id }) => id));
    return NO_ROWS;
  };
  return {
    async query(...given: Parameters<PoolClient['query']>): Promise<unknown> {
      const statement = given[0] as unknown as QueryConfig | string;
      const { name = '', values = [] } = typeof statement === 'string' ? {} : statement;
      const config = statement as QueryConfig;
      if (GRAPHILE_STATEMENTS.complete.test(name)) {
        await finishing.complete(values[0] as string);
      } else if (GRAPHILE_STATEMENTS.completeInQueue.test(name)) {
        await finishing.run(config, values[0] as string[]);
      } else if (GRAPHILE_STATEMENTS.fail.test(name)) {
        await finishing.fail(config, takeFailed(failedIds(values)));
      } else if (GRAPHILE_STATEMENTS.fetch.test(name)) {
        onFetch('begun');
        return routes.shares
          .fetch((skipped) => fetch(config, skipped))
          .finally(() => onFetch('ended'));
      } else {
        return run(...given);
      }
      return NO_ROWS;
    },
    release() {
      void opening?.then((client) => client.release()).catch(() => undefined);
    },
  };
}

const NO_ROWS = { rows: [], rowCount: 0 };

/** Ids in one statement at most. */
const BATCH_MAX = 500;
const TRY_AGAIN_MS = 500;

/** Jobs that failed together. */
export interface FailedJobs {
  readonly ids: readonly string[];
  /** Those that were claimed with attempts left. */
  readonly retryable: readonly string[];
  /** Those that did not fail by themselves. */
  readonly cutOff: readonly string[];
  /** After how many milliseconds those are due again. */
  readonly delayMs: number;
}

/** Records in the queue how jobs of one lane ended. */
export interface Finishing {
  /** Deletes a job that is done. Resolves once it is deleted or given up; never rejects. */
  complete(id: string): Promise<void>;
  /** Runs the queue's own statement that ends these jobs. Never rejects. */
  run(statement: QueryConfig, ids: readonly string[]): Promise<void>;
  /**
   * Records that jobs failed, by the queue's own statement. Those that were superseded are deleted:
   * the queue would keep them as failed for good. Those that did not fail by themselves are due again
   * at once, or after a delay, and the attempt does not count.
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
      await persist(() => pool.query({ ...COMPLETE_JOBS, values: [deleting, owner()] }));
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
  { ids, retryable, cutOff, delayMs }: FailedJobs,
): Promise<void> {
  if (retryable.length > 0) {
    await pool.query({ ...DROP_SUPERSEDED_JOBS, values: [retryable, owner] });
  }
  // Not both: the lane may have claimed a job again before the queue's statement runs.
  const isCutOff = cutOff.length === ids.length;
  const values = [cutOff, owner, delayMs];
  await pool.query(isCutOff ? { ...RUN_CUT_OFF_JOBS_AGAIN, values } : statement);
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
        await sleep(TRY_AGAIN_MS, givenUp);
      }
    }
  }
}
