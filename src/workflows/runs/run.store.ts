import type { Work } from '#core/work.ts';
import type { Contact } from '../../contacts/contact.entity.ts';
import { lockContact } from '../../contacts/contact.store.ts';
import { type Place, actionOf, placeAfter, stepAt } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import { Fault } from '#core/fault.ts';

/** A run that is not over, held until the work is done. */
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
  readonly data: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Of the sub-account. */
  readonly timezone: string;
}

export interface LockedRun {
  readonly run: Run;
  readonly contact: Contact | undefined;
}

/**
 * Holds a run and, before it, its contact: who deletes or merges a contact comes in that order, too.
 * Undefined where the run is over, or its sub-account is.
 */
export async function lockRun(work: Work, runId: string): Promise<LockedRun | undefined> {
  for (;;) {
    const [seen] = await work.rows<{ contactId: string | null }>(SEE, [work.subAccountId, runId]);
    if (!seen) {
      return undefined;
    }
    const contact = seen.contactId === null ? undefined : await lockContact(work, seen.contactId);
    const [run] = await work.rows<Run>(LOCK_RUN, [work.subAccountId, runId]);
    if (!run) {
      return undefined;
    }
    if (run.contactId === seen.contactId) {
      return { run, contact };
    }
    // Its contact became part of another a moment ago.
  }
}

const SEE = `select r.contact_id as "contactId" from workflow_runs r
  join sub_accounts s on s.id = r.sub_account_id and s.deleted_at is null
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null`;

const LOCK_RUN = `select r.id, r.workflow_id as "workflowId", w.slug, r.contact_id as "contactId",
    r.status, r.place, r.due_at as "dueAt", r.waiting_for as "waitingFor", r.attempts, r.depth,
    r.data, v.steps, s.timezone
  from workflow_runs r
  join workflows w on w.sub_account_id = r.sub_account_id and w.id = r.workflow_id
  join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
  join sub_accounts s on s.id = r.sub_account_id
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null
  for no key update of r`;

/** What came of a step. */
export interface Outcome {
  readonly outcome: string;
  readonly detail?: string | undefined;
  /** Where the run goes on; behind the step unless given, and null where it ends. */
  readonly next?: Place | null;
  /** Why the run ends here, where it fails as a whole. */
  readonly error?: string;
}

const DETAIL_MAX = 2_000;

/** Writes down what came of the step a run is at, and moves the run on. */
export function moveOn(work: Work, run: Run, { outcome, detail, next, error }: Outcome): void {
  const { subAccountId, now } = work;
  const step = stepAt(run.steps, run.place);
  const said = detail?.slice(0, DETAIL_MAX) ?? null;
  const action = step ? actionOf(step) : 'end';
  work.write(LOG, [subAccountId, newId(now), run.id, run.place, action, outcome, said, now]);
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
  set place = $3, status = 'running', due_at = null, wake_at = null, waiting_for = null,
    attempts = 0, updated_at = $4
  where sub_account_id = $1 and id = $2`;

/** Ends a run: done, or failed for a reason. */
export function finish(work: Work, { id }: Pick<Run, 'id'>, error?: string): void {
  const { subAccountId, now } = work;
  const status = error === undefined ? 'completed' : 'failed';
  work.write(FINISH, [subAccountId, id, status, error ?? null, now]);
  work.write(FORGET, [subAccountId, id]);
}

const FINISH = `update workflow_runs
  set status = $3, error = $4, finished_at = $5, updated_at = $5,
    due_at = null, wake_at = null, waiting_for = null
  where sub_account_id = $1 and id = $2`;

const FORGET = `delete from workflow_signals where sub_account_id = $1 and run_id = $2`;

interface WaitingState {
  /** Null where there is no end to it. */
  readonly dueAt: Date | null;
  readonly waitingFor?: string | null;
  readonly attempts?: number;
}

/** Has a run wait where it is. */
export function letWait(
  work: Work,
  run: Run,
  { dueAt, waitingFor = run.waitingFor, attempts = run.attempts }: WaitingState,
): void {
  const { subAccountId, now } = work;
  work.write(WAIT, [subAccountId, run.id, dueAt, waitingFor, attempts, now]);
}

const WAIT = `update workflow_runs
  set status = 'waiting', due_at = $3, wake_at = $3, waiting_for = $4, attempts = $5, updated_at = $6
  where sub_account_id = $1 and id = $2`;

/** What came of a step that was done. */
export interface Done extends Outcome {
  /** The message that was written. */
  readonly sent?: string | undefined;
}

/** Why a step cannot be done, for the log of the run. */
export const refusal = (why: string): Fault => new Fault('VALIDATION_ERROR', why);
