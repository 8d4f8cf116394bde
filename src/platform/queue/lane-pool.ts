import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { retryConflicts } from '../database/database-errors.ts';
import type { FailedJobs, Finishing } from './finish-jobs.ts';

/** The release whose statements, known by their names, are routed here. */
export const GRAPHILE_VERSION = '0.18.0';

const COMPLETES = /^complete_job\//;
const COMPLETES_IN_QUEUE = /^complete_job_q\//;
const FAILS = /^fail_job(?:_q)?\//;
const FETCHES = /^get_job/;

interface Routes {
  readonly finishing: Finishing;
  /** Returns, and forgets, what the lane knows of jobs that failed. */
  readonly takeFailed: (ids: readonly string[]) => FailedJobs;
  /** True once the lane has to stop: it takes no more jobs. */
  readonly isStopping: () => boolean;
  /** Makes jobs that the lane fetched, but will not run, due again. */
  readonly giveBack: (ids: readonly string[]) => Promise<void>;
  /** Called when a statement that fetches jobs begins and when it has ended, either way. */
  readonly onLook: (phase: 'begun' | 'ended') => void;
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
  const { finishing, takeFailed, onLook } = routes;
  let opening: Promise<PoolClient> | undefined;
  const run = async (...given: Parameters<PoolClient['query']>) => {
    const client = await (opening ??= pool.connect());
    return client.query(...given) as unknown;
  };
  const fetch = async (...given: Parameters<PoolClient['query']>) => {
    await (opening ??= pool.connect());
    if (routes.isStopping()) {
      return NO_ROWS;
    }
    const found = (await run(...given)) as QueryResult<{ id: string }>;
    if (!routes.isStopping() || found.rows.length === 0) {
      return found;
    }
    await routes.giveBack(found.rows.map(({ id }) => id));
    return NO_ROWS;
  };
  return {
    async query(...given: Parameters<PoolClient['query']>): Promise<unknown> {
      const statement = given[0] as unknown as QueryConfig | string;
      const { name = '', values = [] } = typeof statement === 'string' ? {} : statement;
      const config = statement as QueryConfig;
      if (COMPLETES.test(name)) {
        await finishing.complete(values[0] as string);
      } else if (COMPLETES_IN_QUEUE.test(name)) {
        await finishing.run(config, values[0] as string[]);
      } else if (FAILS.test(name)) {
        await finishing.fail(config, takeFailed(failedIds(values[1])));
      } else if (FETCHES.test(name)) {
        onLook('begun');
        return fetch(...given).finally(() => onLook('ended'));
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

const failedIds = (specs: unknown): string[] =>
  (JSON.parse(String(specs)) as { readonly jobId: string }[]).map(({ jobId }) => jobId);

const NO_ROWS = { rows: [], rowCount: 0 };
