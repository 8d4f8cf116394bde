import { defineJob, keyOf } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';

const MAX_ATTEMPTS = 25;

/** Takes the steps of a run until it waits or ends. */
export const advanceRun = defineJob({
  name: 'workflows/advance',
  payload: request({ subAccountId: uuid(), runId: uuid() }),
  keyFrom: ['runId'],
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});

/** Reads the next events of a sub-account. SQL function `publish_events` also queues this job. */
export const readEvents = defineJob({
  name: 'workflows/read-events',
  payload: request({ subAccountId: uuid() }),
  keyFrom: ['subAccountId'],
  maxAttempts: MAX_ATTEMPTS,
});

/** Queues the reading job of the sub-account for `runAt`, or for now. It replaces a queued job. */
export function queueReading(work: Work, runAt?: Date): void {
  const payload = { subAccountId: work.subAccountId };
  const key = keyOf(readEvents, payload);
  work.enqueue(readEvents, payload, { key, ...(runAt && { runAt }) });
}

/** Queues runs to continue now, with the same job and key as SQL function `wake_workflow_runs`. */
export async function queueRuns(work: Work, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) {
    await work.rows(QUEUE, [work.subAccountId, runIds, advanceRun.name, advanceRun.maxAttempts]);
  }
}

const QUEUE = `select queue_jobs(
    array_agg($3::text), array_agg($3::text || ':' || id),
    array_agg(json_build_object('subAccountId', $1::uuid, 'runId', id)), $4::int
  ) from unnest($2::uuid[]) as id`;
