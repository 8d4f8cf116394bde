import { parseDuration } from '#lib/duration.ts';
import type { Work } from '#core/work.ts';
import { type LockedRun, letWait, moveOn } from '../runs/run.store.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { waitUntil } from '../runs/wait-until.ts';

/** Returns true once the wait is over, false while the run waits. */
export async function waitForTime(
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
export async function waitAtGoal(
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
