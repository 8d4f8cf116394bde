import type { View } from '#core/work.ts';
import type { Position } from './position.ts';

export interface Change {
  readonly topic: string;
  readonly recordId: string;
  readonly conversationId: string | null;
  readonly xid: string;
  readonly id: string;
}

export interface Batch {
  readonly epoch: string;
  /** The snapshot of this read. */
  readonly upTo: string;
  readonly changes: readonly Change[];
  /** There are more changes than a reader should fetch one by one. */
  readonly isTooMany: boolean;
}

/** Beyond this a reader reloads what it shows. */
const BATCH_MAX = 500;

/** Returns the changes of a sub-account after a position. */
export async function readChanges(view: View, position: Position): Promise<Batch> {
  const { since, within } = position;
  const { upTo = null, xid = null, id = null } = within ?? {};
  const rows = await view.rows<Row>(READ, [view.subAccountId, since, upTo, xid, id]);
  const [first] = rows;
  const changes = rows.flatMap(({ change }) => (change ? [change] : []));
  return {
    epoch: first?.epoch ?? '',
    upTo: first?.upTo ?? since,
    changes: changes.slice(0, BATCH_MAX),
    isTooMany: changes.length > BATCH_MAX,
  };
}

interface Row {
  readonly epoch: string | null;
  readonly upTo: string;
  readonly change: Change | null;
}

const EPOCH = `(select record_id from changes where sub_account_id = $1 and xid = '0')`;

const READ = `select ${EPOCH} as epoch, pg_current_snapshot()::text as "upTo",
    case when c.id is not null then json_build_object('topic', c.topic, 'recordId', c.record_id,
      'conversationId', c.conversation_id, 'xid', c.xid::text, 'id', c.id) end as change
  from (select) as one
  left join (
    select * from changes c
    where c.sub_account_id = $1 and c.xid >= pg_snapshot_xmin($2::pg_snapshot)
      and not pg_visible_in_snapshot(c.xid, $2::pg_snapshot)
      and ($3::pg_snapshot is null or not pg_visible_in_snapshot(c.xid, $3::pg_snapshot)
        or (c.xid, c.id) > ($4::xid8, $5::uuid))
    order by c.xid, c.id limit ${BATCH_MAX + 1}
  ) as c on true
  order by c.xid, c.id`;

/** Returns the position after everything that is committed now. */
export async function currentPosition(view: View, now: Date): Promise<Position> {
  await view.rows(BEGIN_EPOCH, [view.subAccountId]);
  const [row] = await view.rows<{ epoch: string; since: string }>(NOW, [view.subAccountId]);
  return { at: now.getTime(), epoch: row?.epoch ?? '', since: row?.since ?? '' };
}

const BEGIN_EPOCH = `insert into changes (sub_account_id, xid, id, topic, record_id)
  select $1, '0', '00000000-0000-0000-0000-000000000000', 'epoch', gen_random_uuid()
  where not exists (select from changes where sub_account_id = $1 and xid = '0')
  on conflict do nothing`;

const NOW = `select ${EPOCH} as epoch, pg_current_snapshot()::text as since`;

/** Returns the followed sub-accounts with changes that a snapshot has not seen, and the new snapshot. */
export const FIND_CHANGED = `select pg_current_snapshot()::text as snapshot, array(
    select followed.id::text from unnest($1::uuid[]) as followed (id)
    where exists (
      select from changes c
      where c.sub_account_id = followed.id and c.xid >= pg_snapshot_xmin($2::pg_snapshot)
        and not pg_visible_in_snapshot(c.xid, $2::pg_snapshot)
    )
  ) as changed`;
