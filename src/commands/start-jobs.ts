import { openDatabase } from '#platform/database.ts';
import type { Environment } from '#platform/environment.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import { startPublisher } from '#platform/publisher.ts';
import { startWorker, type Worker } from '#platform/worker.ts';
import { performers } from '#registry/performers.ts';
import { schedule } from '#registry/schedule.ts';
import type { Service } from './open-service.ts';

export const JOBS_AT_ONCE = 10;

/** Places for jobs that wait for peers: a hundred receivers that hang hold up nobody else. */
const PEER_JOBS_AT_ONCE = 100;
const PEER_JOBS_FETCHED = 10;
/** Such jobs are due to the second, and no notice says when. */
const PEER_POLL_MS = 250;

/** For notices, the signs of life, the clock and the publisher, besides those that fetch and finish jobs. */
const STANDING_CONNECTIONS = 8;
const FETCHING_CONNECTIONS_MAX = 8;

/** Does jobs until the process ends. The queue has connections of its own, so that no job waits for it. */
export async function startJobs(
  service: Service,
  environment: Environment & { readonly databaseUrl: string },
  concurrency: number,
  lifecycle: Lifecycle,
): Promise<void> {
  const { log } = service;
  const { databaseUrl: url, pollInterval } = environment;
  const connections = STANDING_CONNECTIONS + Math.min(concurrency, FETCHING_CONNECTIONS_MAX);
  const queue = openDatabase({ url, connections, name: 'frontdesk queue', log });
  lifecycle.onStop('queue', () => queue.close());
  const shared = {
    pool: queue.pool,
    context: contextOf(service, environment),
    log,
    onFailure(error: unknown) {
      log.fatal({ err: error }, 'the queue stopped');
      lifecycle.end(1, 'the queue stopped');
    },
  };
  const lanes: Worker[] = [];
  lifecycle.onStop('worker', (hurry) => Promise.all(lanes.map((lane) => lane.stop(hurry))));
  const own = {
    performers: performers.filter(({ job }) => job.lane === undefined),
    schedule,
    concurrency,
    pollIntervalMs: pollInterval,
  };
  lanes.push(await startWorker({ ...shared, ...own }));
  const peers = {
    performers: performers.filter(({ job }) => job.lane === 'peers'),
    schedule: [],
    concurrency: PEER_JOBS_AT_ONCE,
    fetchAtOnce: PEER_JOBS_FETCHED,
    pollIntervalMs: Math.min(pollInterval, PEER_POLL_MS),
  };
  lanes.push(await startWorker({ ...shared, ...peers }));
  const publisher = startPublisher({
    url,
    database: queue,
    pollIntervalMs: pollInterval,
    log,
  });
  lifecycle.onStop('publisher', () => publisher.stop());
  log.info({ concurrency }, 'working');
}

const contextOf = (
  { transact, openView, clock, tools, database }: Service,
  settings: Environment,
) => ({
  transact,
  openView,
  clock,
  tools,
  settings,
  async execute(text: string, values: readonly unknown[] = []) {
    const { rowCount } = await database.pool.query(text, [...values]);
    return rowCount ?? 0;
  },
});
