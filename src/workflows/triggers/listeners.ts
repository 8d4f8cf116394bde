import type { View, Work } from '#core/work.ts';
import type { FormerTriggers, Trigger } from '../definition/workflow.schema.ts';
import { publishOwn } from '#platform/notify/publish-own.ts';

/** An active workflow with its current version. */
export interface Listener {
  readonly workflowId: string;
  readonly slug: string;
  readonly versionId: string;
  readonly reenter: boolean;
  readonly createContact: boolean;
  readonly triggers: readonly Trigger[];
  readonly formerTriggers: readonly FormerTriggers[];
  readonly sincePosition: number;
}

/** Returns the triggers that an active workflow had when the event at this position was committed. */
export const triggersAt = (
  { triggers, formerTriggers }: Pick<Listener, 'triggers' | 'formerTriggers'>,
  position: number,
): readonly Trigger[] =>
  formerTriggers.find(({ until }) => until !== null && position <= until)?.triggers ?? triggers;

/** Returns the active workflows of the sub-account. */
export const findListeners = (view: View): Promise<Listener[]> =>
  view.rows<Listener>(
    `${LISTENERS} where w.sub_account_id = $1 and w.active
    and w.deleted_at is null order by w.id`,
    [view.subAccountId],
  );

/**
 * Returns a workflow with its current version; undefined if it is deleted. It is not removed before this work
 * ends: its removal cancels the runs that this work starts.
 */
export async function lockListener(work: Work, workflowId: string): Promise<Listener | undefined> {
  const [found] = await work.rows<Listener>(
    `${LISTENERS} where w.sub_account_id = $1 and w.id = $2 and w.deleted_at is null
    for share of w`,
    [work.subAccountId, workflowId],
  );
  return found;
}

/** Waits for the page of events that is being read, and keeps the next one waiting until the work ends. */
export async function lockReader({ rows, subAccountId }: Work): Promise<void> {
  await rows('select from workflow_readers where sub_account_id = $1 for update', [subAccountId]);
}

const LISTENERS = `select w.id as "workflowId", w.slug, v.id as "versionId", w.reenter,
    w.create_contact as "createContact", w.triggers, w.former_triggers as "formerTriggers",
    w.since_position as "sincePosition"
  from workflows w
  cross join lateral (
    select id from workflow_versions v
    where v.sub_account_id = $1 and v.workflow_id = w.id order by v.id desc limit 1
  ) v`;

/** The `since_position` of a workflow that was just activated, until `updateListeners`. */
export const JUST_ACTIVATED = '9223372036854775807';

/**
 * Stores the events that the workflows of a sub-account listen to, after a change. Workflows that were just
 * activated listen from now on: events that are already committed do not start them. For workflows whose
 * triggers changed, committed events count as before. No events of the installation are published between
 * this and the end of the work.
 */
export async function updateListeners(work: Work): Promise<void> {
  const { subAccountId } = work;
  const changed = await work.rows<ChangedTriggers>(CHANGED, [subAccountId]);
  await publishOwn(work);
  const [head] = await work.rows<{ position: number }>(HEAD, [subAccountId]);
  const position = head?.position ?? 0;
  await work.rows(SET_START, [subAccountId, position]);
  const unread = changed.map(({ id, former, readTo }) => {
    const ended = former.map(({ until, triggers }) => ({ until: until ?? position, triggers }));
    return { id, former: ended.filter(({ until }) => until > readTo) };
  });
  if (unread.length > 0) {
    await work.rows(SET_FORMER, [subAccountId, JSON.stringify(unread)]);
  }
  const former = unread.flatMap((one) => one.former.flatMap(({ triggers }) => triggers));
  await work.rows(LISTEN, [subAccountId, position, former.map(({ on }) => on)]);
}

interface ChangedTriggers {
  readonly id: string;
  readonly former: readonly FormerTriggers[];
  /** The position up to which the events are read. */
  readonly readTo: number;
}

const CHANGED = `select w.id, w.former_triggers as former, coalesce(r.position, 0) as "readTo"
  from workflows w left join workflow_readers r on r.sub_account_id = $1
  where w.sub_account_id = $1 and w.former_triggers <> '[]' order by w.id`;

/** Former triggers whose events are all read are dropped. */
const SET_FORMER = `update workflows w set former_triggers = n.former
  from json_to_recordset($2) as n (id uuid, former jsonb)
  where w.sub_account_id = $1 and w.id = n.id`;

const HEAD = `select coalesce(max(position), 0)::int8 as position from events
  where sub_account_id = $1`;

const SET_START = `update workflows set since_position = $2
  where sub_account_id = $1 and since_position = ${JUST_ACTIVATED}`;

/** Goals of old versions count while a run uses the version. */
const LISTEN = `insert into workflow_readers (sub_account_id, position, names)
  select $1, $2, coalesce(array_agg(distinct event.name), '{}') || $3::text[]
  from (
    select unnest(w.listens_to) as name from workflows w
    where w.sub_account_id = $1 and w.active and w.deleted_at is null
    union
    select unnest(v.goals) from workflow_versions v
    join workflows w on w.sub_account_id = v.sub_account_id and w.id = v.workflow_id
    where v.sub_account_id = $1 and (
      (w.active and w.deleted_at is null and not exists (
        select from workflow_versions later
        where later.sub_account_id = $1 and later.workflow_id = w.id and later.id > v.id))
      or exists (
        select from workflow_runs r
        where r.sub_account_id = $1 and r.workflow_id = w.id and r.version_id = v.id
          and r.finished_at is null))
  ) as event
  on conflict (sub_account_id) do update set names = excluded.names`;
