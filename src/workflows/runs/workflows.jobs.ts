import { defineJob, keyOf } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';
import type { JobTime, Work } from '#core/work.ts';

const MAX_ATTEMPTS = 25;

/** Takes the steps of a run until it waits or ends. SQL function `room_for_runs` counts its keys. */
export const advanceRun = defineJob({
  name: 'workflows/advance',
  payload: request({ subAccountId: uuid(), runId: uuid() }),
  keyFrom: ['subAccountId', 'runId'],
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});

/** Reads the next events of a sub-account. SQL function `publish_events` also queues this job. */
export const readEvents = defineJob({
  name: 'workflows/read-events',
  payload: request({ subAccountId: uuid() }),
  keyFrom: ['subAccountId'],
  maxAttempts: MAX_ATTEMPTS,
  isWakeUp: true,
});

/** Queues the reading job of the sub-account for a time, or for now. */
export function queueReading(work: Work, when: JobTime = {}): void {
  const payload = { subAccountId: work.subAccountId };
  const key = keyOf(readEvents, payload);
  work.enqueue(readEvents, payload, { ...when, key });
}

/**
 * Queues runs to continue now, as far as the sub-account has room in the queue; the others wait in the
 * backlog for `wake_workflow_runs`. Both queue the job `advanceRun` with its key.
 */
export async function queueRuns(work: Work, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) {
    await work.rows(QUEUE_RUNS, [work.subAccountId, runIds]);
  }
}

export const QUEUE_RUNS = 'select queue_runs($1, $2)';
