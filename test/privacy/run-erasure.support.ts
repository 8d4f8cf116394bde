import type { JobContext, JobHandler } from '#core/job.ts';
import { handleEraseAgain } from '../../src/privacy/erase-again.ts';
import { handleEraseMentions } from '../../src/privacy/run-erasing-mentions.ts';
import type { TestService } from '../support/service.ts';

interface JobRow {
  readonly id: string;
  readonly payload: object;
}

/** As graphile-worker does once the job has ended. */
const TAKE = `with taken as (
    select j.id from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = $1 and j.payload ->> 'subAccountId' = $2 order by j.id limit 1
  )
  delete from graphile_worker._private_jobs j using taken where j.id = taken.id
  returning j.id::text as id, j.payload`;

/** Runs the queued jobs of a handler, and those that they queue for it. Returns how many. */
async function runQueued(
  { job, handle }: JobHandler,
  service: TestService,
  context: object,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const [next] = await service.database.rows<JobRow>(TAKE, [job.name, service.subAccountId]);
    if (!next) {
      return count;
    }
    await handle(next.payload, contextOf(service, context));
  }
}

export const contextOf = (service: TestService, context: object): JobContext =>
  ({
    ...service,
    tools: service,
    signal: new AbortController().signal,
    log: { info: () => {}, warn: () => {} },
    ...context,
  }) as unknown as JobContext;

/** Erases the queued mentions to the end, as the worker does. Returns the number of jobs. */
export const runErasureOfMentions = (service: TestService, context: object = {}): Promise<number> =>
  runQueued(handleEraseMentions, service, context);

/** Runs the queued second erasure, and the jobs that it queues. */
export async function runErasureAgain(service: TestService, context: object = {}): Promise<number> {
  const count = await runQueued(handleEraseAgain, service, context);
  await runErasureOfMentions(service, context);
  return count;
}
