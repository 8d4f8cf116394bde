import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import { ENDED_ITS_WORKERS, isFinal } from '#platform/queue/give-up.ts';
import { failUnread, lockRun, moveOn, type LockedRun, finish, letWait } from './run.store.ts';
import { callOut, callOf, type Call } from '../steps/call-out.ts';
import { advanceRun } from './workflows.jobs.ts';
import type { Transact, Work } from '#core/work.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { doStep } from '../steps/do-step.ts';
import { traceEffects } from './effects.ts';
import { placeInto, stepAt, type Place } from '../definition/places.ts';
import {
  GOAL,
  type Condition,
  type GoalOutcome,
  type Step,
} from '../definition/workflow.schema.ts';
import { isTrue } from '../definition/conditions.ts';
import { explainCondition } from '../definition/explain-condition.ts';
import { parseDuration } from '#lib/duration.ts';
import { waitUntil } from './wait-until.ts';

/**
 * The steps of this process that use the database at a time. A sub-account gets half of the places at
 * most: a hundred runs would keep all connections busy, and requests of others waiting for seconds.
 */
const STEPS_AT_ONCE = 16;
const gate = openGate<string>({ shares: openShares(STEPS_AT_ONCE) });

/** Each step is its own transaction: after a crash, the run continues with the next step. */
export const handleAdvanceRun = handle(
  advanceRun,
  async ({ subAccountId, runId }, job) => {
    const { signal } = job;
    const transact: Transact = (...change) =>
      gate.run(subAccountId, () => job.transact(...change), signal);
    const context = { ...job, transact };
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      isMore = (await advance(subAccountId, runId, context)) === 'next';
    }
  },
  ({ subAccountId, runId }, { transact, actor }) =>
    transact(subAccountId, actor, (work) => failUnread(work, runId, ENDED_ITS_WORKERS)),
);

/** Takes the next step. A refused step is skipped, and the run's log records the reason. */
async function advance(
  subAccountId: string,
  runId: string,
  context: JobContext,
): Promise<'next' | 'rest'> {
  const { transact, actor, log, signal } = context;
  const trace: Trace = {};
  try {
    const taken = await transact(subAccountId, actor, (work) => takeStep(work, runId, trace));
    return taken.kind === 'call' ? await callOut(taken.call, subAccountId, context) : taken.kind;
  } catch (error) {
    const isRefusal = error instanceof Fault && error.status < 500;
    if (signal.aborted || (!isRefusal && !isFinal(error, context))) {
      throw error;
    }
    const detail = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, runId, place: trace.place }, 'workflow step failed');
    await transact(subAccountId, actor, async (work) => {
      if (trace.place === undefined) {
        return failUnread(work, runId, detail);
      }
      const locked = await lockRun(work, runId);
      if (locked && locked.run.place === trace.place) {
        moveOn(work, locked.run, {
          outcome: 'failed',
          detail,
          ...(!isRefusal && { error: detail }),
        });
      }
    });
    return isRefusal ? 'next' : 'rest';
  }
}

/** What follows: the next step, a wait, or a call to make. */
export type StepResult =
  | { readonly kind: 'next' | 'rest' }
  | { readonly kind: 'call'; readonly call: Call };

const NEXT: StepResult = { kind: 'next' };
const REST: StepResult = { kind: 'rest' };

/** The place of the current step. It outlives the transaction, for the handling of errors. */
export interface Trace {
  place?: Place;
}

/** Takes the current step of a run. Two concurrent jobs take it once. */
export async function takeStep(work: Work, runId: string, trace: Trace): Promise<StepResult> {
  const locked = await lockRun(work, runId);
  if (!locked) {
    return REST;
  }
  const { run } = locked;
  trace.place = run.place;
  const step = stepAt(run.steps, run.place);
  if (!step) {
    finish(work, run);
    return REST;
  }
  if (step.http) {
    return callNow(work, locked);
  }
  return (await takeNow(work, locked, step)) ? NEXT : REST;
}

/** Returns true if the run continues, false if it waits or has ended. */
async function takeNow(work: Work, locked: LockedRun, step: Step): Promise<boolean> {
  const { run } = locked;
  if (step.wait) {
    return waitForTime(work, locked, step.wait);
  }
  if (step.goal) {
    return waitAtGoal(work, locked, step.goal);
  }
  if (step.end) {
    moveOn(work, run, { outcome: 'done', next: null });
    return false;
  }
  if (step.if) {
    await branchOff(work, locked, step.if);
    return true;
  }
  const effects = traceEffects(work);
  const { sent, ...outcome } = await doStep(work, locked, step);
  effects.record({ depth: run.depth + 1, root: run.root ?? run.id }, sent);
  moveOn(work, run, outcome);
  return true;
}

/** Moves the run into the branch of a condition, and logs why. */
async function branchOff(
  work: Work,
  { run, contact }: LockedRun,
  condition: Condition,
): Promise<void> {
  const goal = condition.field === GOAL ? await lastGoal(work, run.id) : undefined;
  const facts = { contact, data: run.data, goal };
  const isMet = isTrue(condition, facts);
  const branch = isMet ? 'then' : 'else';
  moveOn(work, run, {
    outcome: branch,
    detail: explainCondition(condition, facts, isMet),
    next: placeInto(run.steps, run.place, branch) ?? null,
  });
}

async function lastGoal(work: Work, runId: string): Promise<GoalOutcome | undefined> {
  const [last] = await work.rows<{ outcome: GoalOutcome }>(LAST_GOAL, [work.subAccountId, runId]);
  return last?.outcome;
}

const LAST_GOAL = `select outcome from workflow_log
  where sub_account_id = $1 and run_id = $2 and step = 'goal' and outcome in ('met', 'timed_out')
  order by id desc limit 1`;

/** Returns the call of an http step, which is made between transactions. */
async function callNow(work: Work, locked: LockedRun): Promise<StepResult> {
  const { run } = locked;
  if (run.dueAt && run.dueAt > work.now) {
    return REST;
  }
  return { kind: 'call', call: await callOf(work, locked) };
}

/** Returns true once the wait is over, false while the run waits. */
async function waitForTime(
  work: Work,
  locked: LockedRun,
  wait: NonNullable<Step['wait']>,
): Promise<boolean> {
  const { run } = locked;
  const dueAt = run.dueAt ?? (await dueAtOf(work, locked, wait));
  if (dueAt > work.now) {
    letWait(work, run, { dueAt });
    return false;
  }
  moveOn(work, run, { outcome: 'done', detail: `until ${dueAt.toISOString()}` });
  return true;
}

async function dueAtOf(
  { now }: Work,
  { run, contact }: LockedRun,
  { for: duration, until }: NonNullable<Step['wait']>,
): Promise<Date> {
  if (until === undefined) {
    return new Date(now.getTime() + (parseDuration(duration ?? '') ?? 0));
  }
  return waitUntil(until, contact?.timezone ?? run.timezone, now);
}

/** Returns true once the event has arrived or timed out, false while the run waits. */
async function waitAtGoal(
  work: Work,
  { run }: LockedRun,
  { event, timeout }: NonNullable<Step['goal']>,
): Promise<boolean> {
  const { subAccountId, now } = work;
  const [signal] = await work.rows(TAKE, [subAccountId, run.id, event]);
  if (signal) {
    moveOn(work, run, { outcome: 'met', detail: event });
    return true;
  }
  const timeoutMs = timeout === undefined ? null : (parseDuration(timeout) ?? 0);
  const dueAt = run.dueAt ?? (timeoutMs === null ? null : new Date(now.getTime() + timeoutMs));
  if (dueAt && dueAt <= now) {
    moveOn(work, run, { outcome: 'timed_out', detail: event });
    return true;
  }
  letWait(work, run, { dueAt, waitingFor: event });
  return false;
}

/** Consumes the oldest matching signal: each meets one goal. */
const TAKE = `delete from workflow_signals where sub_account_id = $1 and id = (
    select id from workflow_signals
    where sub_account_id = $1 and run_id = $2 and event = $3 order by id limit 1)
  returning id`;
