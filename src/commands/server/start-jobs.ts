import { openDatabase } from '#platform/database/database.ts';
import { retryConflicts } from '#platform/database/database-errors.ts';
import { baseUrlOf, type Environment } from '#platform/config/environment.ts';
import { startSchedule } from '#platform/queue/schedule.ts';
import { superviseWorker, type Lane } from '#platform/queue/supervise-worker.ts';
import { stalledLanes, type LaneStates } from '#platform/queue/lanes.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { startPublisher } from '#platform/notify/publisher.ts';
import { jobHandlers } from '#registry/job-handlers.ts';
import { schedule } from '#registry/schedule.ts';
import { isSliceAwaited, MAILINGS_AT_ONCE } from '../../campaigns/delivery/slice-gate.ts';
import { superviseMailboxes } from '../../conversations/mailbox/mailbox-supervisor.ts';
import { tickForRuns } from '../../workflows/runs/tick-for-runs.ts';
import { openDryRun } from './open-dry-run.ts';
import type { Service } from './open-service.ts';

export const JOBS_AT_ONCE = 10;

/**
 * Concurrent jobs of the lane `peers`. Up to a hundred hanging peers of a sub-account delay no others of
 * its own, and any number delays no other sub-account.
 */
export const PEER_JOBS_AT_ONCE = 200;
const PEER_JOBS_FETCHED = 10;
/** These jobs become due without a notification. */
const PEER_POLL_MS = 250;

/** For notifications and worker locks, of each lane, the schedule and the publisher. */
const STANDING_CONNECTIONS = 16;
const FETCHING_CONNECTIONS_MAX = 8;

/** Erasures, and what else runs in time slices for long. */
export const BULK_JOBS_AT_ONCE = 4;

/** Of these jobs, `MAILINGS_AT_ONCE` send campaign mails. The others only await mails in flight. */
export const MAIL_JOBS_AT_ONCE = 40;

/** Imports and changes of many contacts, one of a sub-account at a time: campaigns never wait for them. */
export const IMPORTS_AT_ONCE = 2;

/** Memory for files that are being fetched from the servers of sub-accounts. */
const FILES_FETCHED_MAX_BYTES = 80 * 1024 * 1024;
const FILE_JOBS_MAX = 8;
/** With one place, a file that never ends would delay those of all other sub-accounts. */
const FILE_JOBS_MIN = 2;

/** Returns how many files of at most `maxBytes` are fetched at a time: 8 of 10 MiB, 4 of 20 MiB. */
export const fileJobsAtOnce = (maxBytes: number): number =>
  Math.max(FILE_JOBS_MIN, Math.min(FILE_JOBS_MAX, Math.floor(FILES_FETCHED_MAX_BYTES / maxBytes)));

export interface Jobs {
  /** Returns whether all lanes fetch jobs. */
  isTaking(): boolean;
  /** Returns the state of each lane by its name. */
  lanes(): LaneStates;
}

/** Runs jobs until the process ends. The queue has its own connections, so that it never waits for a job. */
export async function startJobs(
  service: Service,
  environment: Environment & { readonly databaseUrl: string },
  concurrency: number,
  lifecycle: Lifecycle,
): Promise<Jobs> {
  const { log } = service;
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, pollInterval } = environment;
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
  const lanes: Lane[] = [];
  lifecycle.onStop('worker', (hurry) => Promise.all(lanes.map((lane) => lane.stop(hurry))));
  const fileJobs = fileJobsAtOnce(service.tools.files.maxBytes);
  for (const lane of lanesFor({ concurrency, fileJobs, pollIntervalMs: pollInterval })) {
    lanes.push(await superviseWorker({ ...shared, ...lane }));
  }
  const periodic = await startSchedule({ database: queue, schedule, log });
  lifecycle.onStop('schedule', () => periodic.stop());
  const runs = tickForRuns(service);
  lifecycle.onStop('workflow ticks', () => runs.stop());
  const publisher = startPublisher({
    url,
    database: queue,
    pollIntervalMs: pollInterval,
    log,
  });
  lifecycle.onStop('publisher', () => publisher.stop());
  const mailboxes = superviseMailboxes({
    ...service,
    secrets: service.tools.secrets,
    files: service.tools.files,
    outboundAllow: environment.outboundAllow ?? [],
    pollIntervalMs: pollInterval,
  });
  lifecycle.onStop('mailboxes', () => mailboxes.stop());
  log.info({ concurrency }, 'running jobs');
  const states = () => Object.fromEntries(lanes.map((lane) => [lane.name, lane.state()]));
  return { lanes: states, isTaking: () => stalledLanes(states()).length === 0 };
}

interface LaneSizes {
  readonly concurrency: number;
  readonly fileJobs: number;
  readonly pollIntervalMs: number;
}

/** The lanes, each with its own concurrency. */
const lanesFor = ({ concurrency, fileJobs, pollIntervalMs }: LaneSizes) => [
  {
    name: 'default',
    handlers: jobHandlers.filter(({ job }) => job.lane === undefined),
    concurrency,
    pollIntervalMs,
  },
  {
    name: 'peers',
    handlers: jobHandlers.filter(({ job }) => job.lane === 'peers'),
    concurrency: PEER_JOBS_AT_ONCE,
    fetchAtOnce: PEER_JOBS_FETCHED,
    isShared: true,
    pollIntervalMs: Math.min(pollIntervalMs, PEER_POLL_MS),
  },
  {
    name: 'files',
    handlers: jobHandlers.filter(({ job }) => job.lane === 'files'),
    concurrency: fileJobs,
    isShared: true,
    pollIntervalMs,
  },
  {
    name: 'bulk',
    handlers: jobHandlers.filter(({ job }) => job.lane === 'bulk'),
    concurrency: BULK_JOBS_AT_ONCE,
    isShared: true,
    pollIntervalMs: Math.min(pollIntervalMs, PEER_POLL_MS),
  },
  {
    name: 'mail',
    handlers: jobHandlers.filter(({ job }) => job.lane === 'mail'),
    concurrency: MAIL_JOBS_AT_ONCE,
    fetchAtOnce: MAILINGS_AT_ONCE,
    isFull: isSliceAwaited,
    isShared: true,
    pollIntervalMs: Math.min(pollIntervalMs, PEER_POLL_MS),
  },
  {
    name: 'imports',
    handlers: jobHandlers.filter(({ job }) => job.lane === 'imports'),
    concurrency: IMPORTS_AT_ONCE,
    isShared: true,
    pollIntervalMs,
  },
];

const contextOf = (service: Service, environment: Environment) => {
  const { transact, openView, clock, tools, database, log } = service;
  return {
    transact,
    openView,
    clock,
    tools,
    log,
    settings: {
      ...environment,
      baseUrl: baseUrlOf(environment),
    },
    async execute(text: string, values: readonly unknown[] = []) {
      const { rowCount } = await retryConflicts(() => database.pool.query(text, [...values]));
      return rowCount ?? 0;
    },
    openDryRun: (tables: readonly string[]) => openDryRun(service, tables),
  };
};
