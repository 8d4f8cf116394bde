import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { Run } from './lock-run.ts';
import { actionOf, placeAfter, stepAt, type Place } from '../definition/places.ts';

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
