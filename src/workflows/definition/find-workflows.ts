import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { WorkflowEntry } from './workflow.schema.ts';

/** A workflow with the number of its unfinished runs. */
export interface WorkflowRow extends WorkflowEntry {
  readonly id: string;
  readonly hasSecret: boolean;
  readonly versionId: string;
  readonly running: number;
  readonly waiting: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Returns the workflows of the sub-account by slug, or the one with the given slug. */
export const findWorkflows = (view: View, slug?: string): Promise<WorkflowRow[]> =>
  view.rows<WorkflowRow>(FIND, [view.subAccountId, slug ?? null]);

/** Returns the workflow without the headers of its calls, which often contain tokens. */
export const withoutHeaders = (row: WorkflowRow): WorkflowRow =>
  JSON.parse(
    JSON.stringify(row, (name, value: unknown) => (name === 'sealedHeaders' ? undefined : value)),
  ) as WorkflowRow;

const FIND = `select w.id, w.slug, w.name, w.active, w.reenter, w.create_contact as "createContact",
    w.secret is not null as "hasSecret", w.triggers, v.steps, v.id as "versionId",
    runs.running, runs.waiting, ${isoText('w.created_at')} as "createdAt",
    ${isoText('w.updated_at')} as "updatedAt"
  from workflows w
  cross join lateral (
    select id, steps from workflow_versions v
    where v.sub_account_id = $1 and v.workflow_id = w.id order by v.id desc limit 1
  ) v
  cross join lateral (
    select count(*) filter (where r.status = 'running') as running,
      count(*) filter (where r.status = 'waiting') as waiting
    from workflow_runs r
    where r.sub_account_id = $1 and r.workflow_id = w.id and r.finished_at is null
  ) runs
  where w.sub_account_id = $1 and w.deleted_at is null and ($2::text is null or w.slug = $2)
  order by w.slug`;
