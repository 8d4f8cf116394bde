import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { WorkflowTable } from '../definition/workflow.entity.ts';
import type { RUN_STATUSES } from '../definition/workflow.schema.ts';
import type { WorkflowRunTable } from './workflow-run.entity.ts';

export interface RunRow {
  readonly id: string;
  readonly workflow: string;
  readonly contactId: string | null;
  /** Null without a contact. */
  readonly contactName: string | null;
  readonly status: (typeof RUN_STATUSES)[number];
  readonly trigger: string;
  /** The next step, as a JSON pointer into the steps. */
  readonly place: string;
  /** When the wait ends, and for which event the run waits. */
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
  /** Only runs that are older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns the runs of the sub-account, newest first. */
export async function findRuns(view: View, input: FindRunsInput): Promise<RunRow[]> {
  const { id, slug, status, contactId, before, limit } = input;
  const { db, sql } = await queryBuilder<typeof WorkflowRunTable | typeof WorkflowTable>();
  const iso = (column: string) => sql.raw<any>(isoText(column));
  let runs = db
    .selectFrom('workflow_runs as r')
    .innerJoin('workflows as w', (join) =>
      join.onRef('w.sub_account_id', '=', 'r.sub_account_id').onRef('w.id', '=', 'r.workflow_id'),
    )
    .select(['r.id', 'w.slug as workflow', 'r.contact_id as contactId', 'r.status', 'r.trigger'])
    .select(['r.place', 'r.waiting_for as waitingFor', 'r.error'])
    .select([
      iso('r.due_at').as('dueAt'),
      iso('r.created_at').as('createdAt'),
      iso('r.finished_at').as('finishedAt'),
      sql.raw<string | null>(CONTACT_NAME).as('contactName'),
    ])
    .where('r.sub_account_id', '=', view.subAccountId);
  if (id !== undefined) {
    runs = runs.where('r.id', '=', id);
  }
  if (slug !== undefined) {
    runs = runs.where('w.slug', '=', slug);
  }
  if (status !== undefined) {
    runs = runs.where(sql.ref('r.status'), '=', status);
  }
  if (contactId !== undefined) {
    runs = runs.where('r.contact_id', '=', contactId);
  }
  if (before !== undefined) {
    runs = runs.where('r.id', '<', before);
  }
  return queryRows<RunRow>(view, runs.orderBy('r.id', 'desc').limit(limit));
}

const CONTACT_NAME = `(select trim(c.first_name || ' ' || c.last_name) from contacts c
  where c.sub_account_id = r.sub_account_id and c.id = r.contact_id)`;

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
