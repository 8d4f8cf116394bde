import type { Work } from '#core/work.ts';
import { callOf, type Call } from '../steps/call-out.ts';
import { doStep } from '../steps/do-step.ts';
import { waitAtGoal, waitForTime } from '../steps/wait.ts';
import { traceEffects } from './effects.ts';
import { lockRun, type LockedRun } from './lock-run.ts';
import { finish, moveOn } from './move-run.ts';
import { placeInto, stepAt, type Place } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { isTrue } from '../definition/matches.ts';

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
