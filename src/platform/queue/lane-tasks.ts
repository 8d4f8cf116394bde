import type { JobHelpers, TaskList } from 'graphile-worker';
import { check } from '#core/schema/check.ts';
import type { Job } from '#core/job-type.ts';
import type { JobContext, JobHandler } from '#core/job.ts';
import type { Actor } from '#core/work.ts';
import { isOutage } from '../database/outage-log.ts';
import { observeJob } from '../metrics/counters.ts';
import { inActivity, untilEscaped } from '../process/activity.ts';
import type { FailedJobs } from './lane-pool.ts';
import { subAccountOf, type LaneShares } from './lane-shares.ts';
import type { Fetches } from './lanes.ts';
import { Postponed, suspectGate } from './suspect-gate.ts';
import { runJob, type JobRun, type SuspectLane } from './suspect-jobs.ts';

/** The jobs of one lane, and one signal for all of them: a signal per job would cost more. */
export interface LaneJobs {
  readonly shares: LaneShares;
  readonly running: Set<string>;
  readonly interrupted: Set<string>;
  /** Running jobs that have attempts left. */
  readonly retryable: Set<string>;
  /** Jobs that ended without failing by themselves, and after how many milliseconds they are due again. */
  readonly cutOff: Map<string, number>;
  readonly abandoned: AbortController;
}

export const newLaneJobs = (shares: LaneShares): LaneJobs => ({
  shares,
  running: new Set(),
  interrupted: new Set(),
  retryable: new Set(),
  cutOff: new Map(),
  abandoned: new AbortController(),
});

/** Returns, and forgets, what the lane knows of jobs that failed. */
export function takeFailed(lane: LaneJobs, ids: readonly string[]): FailedJobs {
  const delayMs = Math.max(0, ...ids.map((id) => lane.cutOff.get(id) ?? 0));
  return {
    ids,
    retryable: ids.filter((id) => lane.retryable.delete(id)),
    cutOff: ids.filter((id) => lane.cutOff.delete(id)),
    delayMs,
  };
}

export const suspectLane = (
  { pool, log }: Pick<SuspectLane, 'pool' | 'log'>,
  { retryable }: LaneJobs,
  id: () => string,
): SuspectLane => ({
  pool,
  gate: suspectGate,
  id,
  log,
  // Otherwise it would look like a superseded job, which is deleted.
  onGivenUp: (jobId) => retryable.delete(jobId),
});

interface Handlers {
  readonly handlers: readonly JobHandler[];
  readonly context: Omit<JobContext, 'attempt' | 'queuedAt' | 'signal' | 'actor'>;
}

/** Payloads are checked again here: a job may outlive the release that queued it. */
export function taskList(
  { handlers, context }: Handlers,
  { shares, running, interrupted, retryable, cutOff, abandoned }: LaneJobs,
  { onJobEnd }: Fetches,
  suspects: SuspectLane,
): TaskList {
  return Object.fromEntries(
    handlers.map(({ job, handle, giveUp }) => [
      job.name,
      async (payload: unknown, helpers: JobHelpers) => {
        const { id, attempts, max_attempts: attemptsMax, created_at: queuedAt } = helpers.job;
        const { signal } = abandoned;
        const began = performance.now();
        let outcome: 'done' | 'failed' | 'postponed' = 'failed';
        running.add(id);
        const leave = shares.enter(payload);
        if (attempts < attemptsMax) {
          retryable.add(id);
        }
        try {
          const valid = check(job.payload, withoutCron(payload), 'body');
          const actor = actorOf(job, id);
          const call = { ...context, attempt: attempts, queuedAt, signal, actor };
          const run: JobRun = {
            signal,
            handle: () => handle(valid, call),
            giveUp: giveUp && (() => giveUp(valid, call)),
          };
          await inActivity(
            { kind: 'job', id: actor.requestId, subAccountId: subAccountOf(payload) },
            () => untilEscaped(() => runJob(helpers.job, suspects, run)),
          );
          outcome = 'done';
          retryable.delete(id);
        } catch (error) {
          if (signal.aborted) {
            interrupted.add(id);
          }
          if (error instanceof Postponed) {
            outcome = 'postponed';
            cutOff.set(id, error.ms);
          } else if (isOutage(error)) {
            cutOff.set(id, 0);
          }
          throw error;
        } finally {
          running.delete(id);
          leave();
          onJobEnd();
          if (outcome !== 'postponed') {
            observeJob(job.name, outcome, performance.now() - began);
          }
        }
      },
    ]),
  );
}

const actorOf = ({ name }: Job, id: string): Actor => ({
  kind: 'job',
  name,
  requestId: `job-${id}`,
  operation: name,
});

/** Periodic jobs that releases up to 0.1.0 queued have a member `_cron`. */
function withoutCron(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) {
    return payload;
  }
  const { _cron, ...rest } = payload as { _cron?: unknown };
  return rest;
}
