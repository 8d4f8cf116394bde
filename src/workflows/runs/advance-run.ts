import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import { lockRun, moveOn, type LockedRun, finish } from './run.store.ts';
import { callOut, callOf, type Call } from '../steps/call-out.ts';
import { advanceRun } from './workflows.jobs.ts';
import type { Work } from '#core/work.ts';
import { doStep } from '../steps/do-step.ts';
import { waitAtGoal, waitForTime } from '../steps/wait.ts';
import { traceEffects } from './effects.ts';
import { placeInto, stepAt, type Place } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { isTrue } from '../definition/conditions.ts';

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

/** What is to come of a run now: the next step, nothing until it is woken, or a call to be made. */
export type StepResult =
  | { readonly kind: 'next' | 'rest' }
  | { readonly kind: 'call'; readonly call: Call };

const NEXT: StepResult = { kind: 'next' };
const REST: StepResult = { kind: 'rest' };

/** Where a step was that is refused; for whoever learns of it after the transaction is gone. */
export interface Trace {
  place?: Place;
}

/** Takes the one step that a run is at. Taken by two jobs at once, it is taken once. */
export async function takeStep(work: Work, runId: string, trace: Trace): Promise<StepResult> {
  const held = await lockRun(work, runId);
  if (!held) {
    return REST;
  }
  const { run } = held;
  trace.place = run.place;
  const step = stepAt(run.steps, run.place);
  if (!step) {
    finish(work, run);
    return REST;
  }
  if (step.http) {
    return callNow(work, held);
  }
  return (await doneNow(work, held, step)) ? NEXT : REST;
}

/** True where the run goes on; false where it waits, or is over. */
async function doneNow(work: Work, held: LockedRun, step: Step): Promise<boolean> {
  const { run, contact } = held;
  if (step.wait) {
    return waitForTime(work, held, step.wait);
  }
  if (step.goal) {
    return waitAtGoal(work, held, step.goal);
  }
  if (step.end) {
    moveOn(work, run, { outcome: 'done', next: null });
    return false;
  }
  if (step.if) {
    const branch = isTrue(step.if, contact, run.data) ? 'then' : 'else';
    moveOn(work, run, { outcome: branch, next: placeInto(run.steps, run.place, branch) ?? null });
    return true;
  }
  const effects = traceEffects(work);
  const { sent, ...outcome } = await doStep(work, held, step);
  effects.keep(run.depth + 1, sent);
  moveOn(work, run, outcome);
  return true;
}

/** The call itself is made between transactions. */
async function callNow(work: Work, held: LockedRun): Promise<StepResult> {
  const { run } = held;
  if (run.dueAt && run.dueAt > work.now) {
    return REST;
  }
  return { kind: 'call', call: await callOf(work, held) };
}
