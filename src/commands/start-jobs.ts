import { openDatabase } from '#platform/database.ts';
import type { Environment } from '#platform/environment.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import { startWorker } from '#platform/worker.ts';
import { performers } from '#registry/performers.ts';
import { schedule } from '#registry/schedule.ts';
import type { Service } from './open-service.ts';

export const JOBS_AT_ONCE = 10;

/** For notices, the sign of life and the clock, besides those that fetch and finish jobs. */
const STANDING_CONNECTIONS = 4;
const FETCHING_CONNECTIONS_MAX = 8;

/** Does jobs until the process ends. The queue has connections of its own, so that no job waits for it. */
export async function startJobs(
  service: Service,
  { databaseUrl: url, pollInterval }: Environment & { readonly databaseUrl: string },
  concurrency: number,
  lifecycle: Lifecycle,
): Promise<void> {
  const { log, transact } = service;
  const connections = STANDING_CONNECTIONS + Math.min(concurrency, FETCHING_CONNECTIONS_MAX);
  const queue = openDatabase({ url, connections, name: 'frontdesk queue', log });
  lifecycle.onStop('queue', () => queue.close());
  const worker = await startWorker({
    pool: queue.pool,
    performers,
    schedule,
    context: {
      transact,
      async execute(text, values = []) {
        const { rowCount } = await service.database.pool.query(text, [...values]);
        return rowCount ?? 0;
      },
    },
    concurrency,
    pollIntervalMs: pollInterval,
    log,
    onFailure(error) {
      log.fatal({ err: error }, 'the queue stopped');
      lifecycle.end(1, 'the queue stopped');
    },
  });
  lifecycle.onStop('worker', (hurry) => worker.stop(hurry));
  log.info({ concurrency }, 'working');
}
