import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import { lockRun } from './lock-run.ts';
import { moveOn } from './move-run.ts';
import { callOut } from '../steps/call-out.ts';
import { takeStep, type Trace } from './take-step.ts';
import { advanceRun } from './workflows.jobs.ts';

/** A step that breaks so often, for no reason that it could tell, will break for ever. */
const GIVE_UP_AT = 10;

/** Each step is a transaction of its own; killed between two of them, a run goes on with the second. */
export const handleAdvanceRun = handle(advanceRun, async ({ subAccountId, runId }, context) => {
  for (let isMore = true; isMore;) {
    context.signal.throwIfAborted();
    isMore = (await advance(subAccountId, runId, context)) === 'next';
  }
});

/** A step that is refused is passed over, and the log of the run says why. */
async function advance(
  subAccountId: string,
  runId: string,
  context: JobContext,
): Promise<'next' | 'rest'> {
  const { transact, actor, attempt, log, signal } = context;
  const trace: Trace = {};
  try {
    const taken = await transact(subAccountId, actor, (work) => takeStep(work, runId, trace));
    return taken.kind === 'call' ? await callOut(taken.call, subAccountId, context) : taken.kind;
  } catch (error) {
    const isRefusal = error instanceof Fault && error.status < 500;
    if (signal.aborted || (!isRefusal && attempt < GIVE_UP_AT)) {
      throw error;
    }
    const detail = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, runId, place: trace.place }, 'workflow step not done');
    return transact(subAccountId, actor, async (work) => {
      const held = await lockRun(work, runId);
      if (held && held.run.place === trace.place) {
        moveOn(work, held.run, {
          outcome: 'failed',
          detail,
          ...(!isRefusal && { error: detail }),
        });
      }
      return isRefusal ? 'next' : 'rest';
    });
  }
}
