import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';

export interface RunRow {
  readonly id: string;
  readonly workflow: string;
  readonly contactId: string | null;
  readonly status: string;
  readonly trigger: string;
  /** The next step. */
  readonly place: string;
  /** Until when and for which event the run waits. */
  readonly dueAt: string | null;
  readonly waitingFor: string | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

interface FindRunsInput {
  readonly id?: string | undefined;
  readonly slug?: string | undefined;
  readonly status?: string | undefined;
  readonly contactId?: string | undefined;
  readonly limit: number;
}

/** Returns runs of the sub-account, newest first. */
export const findRuns = (view: View, { id, slug, status, contactId, limit }: FindRunsInput) =>
  view.rows<RunRow>(FIND, [
    view.subAccountId,
    slug ?? null,
    status ?? null,
    contactId ?? null,
    limit,
    id ?? null,
  ]);

const FIND = `select r.id, w.slug as workflow, r.contact_id as "contactId", r.status, r.trigger,
    r.place, ${isoText('r.due_at')} as "dueAt", r.waiting_for as "waitingFor", r.error,
    ${isoText('r.created_at')} as "createdAt", ${isoText('r.finished_at')} as "finishedAt"
  from workflow_runs r
  join workflows w on w.sub_account_id = r.sub_account_id and w.id = r.workflow_id
  where r.sub_account_id = $1 and ($2::text is null or w.slug = $2)
    and ($3::text is null or r.status = $3) and ($4::uuid is null or r.contact_id = $4)
    and ($6::uuid is null or r.id = $6)
  order by r.id desc limit $5`;

export interface LogRow {
  readonly place: string;
  readonly step: string;
  readonly outcome: string;
  readonly detail: string | null;
  readonly at: string;
}

/** Returns the steps that a run took, in order. */
export const findRunLog = (view: View, runId: string): Promise<LogRow[]> =>
  view.rows<LogRow>(LOG, [view.subAccountId, runId]);

const LOG = `select place, step, outcome, detail, ${isoText('at')} as at from workflow_log
  where sub_account_id = $1 and run_id = $2 order by id`;
