import type { View } from '#core/work.ts';
import type { Trigger } from '../definition/workflow.schema.ts';

/** An active workflow with its current version. */
export interface Listener {
  readonly workflowId: string;
  readonly slug: string;
  readonly versionId: string;
  readonly reenter: boolean;
  readonly createContact: boolean;
  readonly triggers: readonly Trigger[];
  readonly sincePosition: number;
}

export const findListeners = (view: View): Promise<Listener[]> =>
  view.rows<Listener>(
    `${LISTENERS} where w.sub_account_id = $1 and w.active
    and w.deleted_at is null order by w.id`,
    [view.subAccountId],
  );

export async function findListener(view: View, workflowId: string): Promise<Listener | undefined> {
  const [found] = await view.rows<Listener>(
    `${LISTENERS} where w.sub_account_id = $1 and w.id = $2 and w.deleted_at is null`,
    [view.subAccountId, workflowId],
  );
  return found;
}

const LISTENERS = `select w.id as "workflowId", w.slug, v.id as "versionId", w.reenter,
    w.create_contact as "createContact", w.triggers, w.since_position as "sincePosition"
  from workflows w
  cross join lateral (
    select id from workflow_versions v
    where v.sub_account_id = w.sub_account_id and v.workflow_id = w.id order by v.id desc limit 1
  ) v`;
