import type { Work } from '#core/work.ts';
import { Contact } from '../../contacts/contact.entity.ts';
import { lockLive } from '#platform/database/live-records.ts';
import { type Place, actionOf, placeAfter, stepAt } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import { Fault } from '#core/fault.ts';

/** An unfinished run, locked until the work is done. */
export interface Run {
  readonly id: string;
  readonly workflowId: string;
  readonly slug: string;
  readonly contactId: string | null;
  readonly status: 'running' | 'waiting';
  readonly place: Place;
  readonly dueAt: Date | null;
  readonly waitingFor: string | null;
  readonly attempts: number;
  readonly depth: number;
  /** The first of the runs that caused this one; null if none did. */
  readonly root: string | null;
  /** The trigger of the first run of its chain. */
  readonly origin: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** The sub-account's time zone. */
  readonly timezone: string;
}

export interface LockedRun {
  readonly run: Run;
  readonly contact: Contact | undefined;
}

/**
 * Locks a run, and its contact before it: deleting and merging contacts locks in the same order.
 * Returns undefined if the run is finished or the sub-account is deleted.
 */
export async function lockRun(work: Work, runId: string): Promise<LockedRun | undefined> {
  for (;;) {
    const [seen] = await work.rows<{ contactId: string | null }>(CONTACT_OF_RUN, [
      work.subAccountId,
      runId,
    ]);
    if (!seen) {
      return undefined;
    }
    // Null if the contact was merged or deleted while its lock was awaited.
    const contact = seen.contactId === null ? null : await lockLive(work, Contact, seen.contactId);
    const [run] = await work.rows<Run>(LOCK_RUN, [work.subAccountId, runId]);
    if (!run) {
      return undefined;
    }
    if (run.contactId === seen.contactId) {
      return { run, contact: contact ?? undefined };
    }
    // The contact was merged in between: try again with the kept contact.
  }
}

const CONTACT_OF_RUN = `select r.contact_id as "contactId" from workflow_runs r
  join sub_accounts s on s.id = r.sub_account_id and s.deleted_at is null
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null`;

const LOCK_RUN = `select r.id, r.workflow_id as "workflowId", w.slug, r.contact_id as "contactId",
    r.status, r.place, r.due_at as "dueAt", r.waiting_for as "waitingFor", r.attempts, r.depth,
    r.root, coalesce(o.trigger, r.trigger) as origin, r.data, v.steps, s.timezone
  from workflow_runs r
  left join workflow_runs o on o.sub_account_id = $1 and o.id = r.root
  join workflows w on w.sub_account_id = r.sub_account_id and w.id = r.workflow_id
  join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
  join sub_accounts s on s.id = r.sub_account_id
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null
  for no key update of r`;

/** The result of a step. */
export interface Outcome {
  readonly outcome: string;
  readonly detail?: string | undefined;
  /** The next place; by default the one after the step, null to end the run. */
  readonly next?: Place | null;
  /** Fails the whole run with this reason. */
  readonly error?: string;
}

const DETAIL_MAX = 2_000;

/** Logs the outcome of the current step and moves the run to the next one. */
export function moveOn(work: Work, run: Run, { outcome, detail, next, error }: Outcome): void {
  const { subAccountId, now } = work;
  const step = stepAt(run.steps, run.place);
  const logged = detail?.slice(0, DETAIL_MAX) ?? null;
  const action = step ? actionOf(step) : 'end';
  work.write(LOG, [subAccountId, newId(now), run.id, run.place, action, outcome, logged, now]);
  const place = next === undefined ? placeAfter(run.steps, run.place) : next;
  if (place && error === undefined) {
    work.write(MOVE, [subAccountId, run.id, place, now]);
  } else {
    finish(work, run, error);
  }
}

const LOG = insertInto('workflow_log', [
  'subAccountId',
  'id',
  'runId',
  'place',
  'step',
  'outcome',
  'detail',
  'at',
]);

const MOVE = `update workflow_runs
  set place = $3, status = 'running', due_at = null, wake_at = null,
    backlogged_at = null, waiting_for = null, attempts = 0, updated_at = $4
  where sub_account_id = $1 and id = $2`;

/** Ends a run: completed, or failed with an error. */
export function finish(work: Work, { id }: Pick<Run, 'id'>, error?: string): void {
  const { subAccountId, now } = work;
  const status = error === undefined ? 'completed' : 'failed';
  work.write(FINISH, [subAccountId, id, status, error ?? null, now]);
  work.write(DELETE_SIGNALS, [subAccountId, id]);
}

/** Fails a run that cannot even be read: it has no step to log the reason for. */
export async function failUnread(work: Work, id: string, error: string): Promise<void> {
  await work.rows(FAIL_UNREAD, [work.subAccountId, id, error.slice(0, DETAIL_MAX), work.now]);
}

const FAIL_UNREAD = `update workflow_runs
  set status = 'failed', error = $3, finished_at = $4, updated_at = $4,
    due_at = null, wake_at = null, backlogged_at = null, waiting_for = null
  where sub_account_id = $1 and id = $2 and finished_at is null`;

const FINISH = `update workflow_runs
  set status = $3, error = $4, finished_at = $5, updated_at = $5,
    due_at = null, wake_at = null, backlogged_at = null, waiting_for = null
  where sub_account_id = $1 and id = $2`;

const DELETE_SIGNALS = `delete from workflow_signals where sub_account_id = $1 and run_id = $2`;

interface WaitingState {
  /** Null to wait without a limit. */
  readonly dueAt: Date | null;
  readonly waitingFor?: string | null;
  readonly attempts?: number;
}

/** Makes a run wait at its current step. */
export function letWait(
  work: Work,
  run: Run,
  { dueAt, waitingFor = run.waitingFor, attempts = run.attempts }: WaitingState,
): void {
  const { subAccountId, now } = work;
  work.write(WAIT, [subAccountId, run.id, dueAt, waitingFor, attempts, now]);
}

const WAIT = `update workflow_runs
  set status = 'waiting', due_at = $3, wake_at = $3, backlogged_at = null, waiting_for = $4,
    attempts = $5, updated_at = $6
  where sub_account_id = $1 and id = $2`;

/** The outcome of a step, with the message that it wrote. */
export interface Done extends Outcome {
  readonly sent?: string | undefined;
}

/** Returns the refusal of a step. Its message goes to the run's log. */
export const refusal = (message: string): Fault => new Fault('VALIDATION_ERROR', message);
