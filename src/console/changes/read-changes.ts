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

/**
 * The database server that runs the statement. It numbers the transactions that change the
 * sub-account: in a cluster that is its node, which can become another one.
 */
const SERVER = '(pg_control_system()).system_identifier::text';

const EPOCH = `(select record_id from changes
  where sub_account_id = $1 and xid = '0' and topic = ${SERVER})`;

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
  const { subAccountId } = view;
  let state = await readState(view);
  if (state?.epoch === null) {
    await view.rows(FORGET_OTHER_SERVER, [subAccountId, state.server]);
    await view.rows(BEGIN_EPOCH, [subAccountId, state.server, crypto.randomUUID()]);
    state = await readState(view);
  }
  return { at: now.getTime(), epoch: state?.epoch ?? '', since: state?.since ?? '' };
}

interface State {
  readonly server: string;
  readonly epoch: string | null;
  readonly since: string;
}

const readState = async ({ subAccountId, rows }: View): Promise<State | undefined> =>
  (await rows<State>(STATE, [subAccountId]))[0];

const STATE = `select ${SERVER} as server, ${EPOCH} as epoch, pg_current_snapshot()::text as since`;

/** Their numbers mean nothing here. */
const FORGET_OTHER_SERVER = `delete from changes where sub_account_id = $1 and exists (
    select from changes e where e.sub_account_id = $1 and e.xid = '0' and e.topic <> $2
  )`;

const BEGIN_EPOCH = `insert into changes (sub_account_id, xid, id, topic, record_id)
  values ($1, '0', '00000000-0000-0000-0000-000000000000', $2, $3)
  on conflict do nothing`;

/**
 * Returns those of the sub-accounts `$1` with changes that their snapshots `$2` have not seen, and
 * the new snapshots.
 */
export const FIND_CHANGED = `select c.sub_account_id as id,
    max(pg_current_snapshot()::text) as snapshot
  from unnest($1::uuid[], $2::text[]) as followed (id, seen)
  join changes c on c.sub_account_id = followed.id
    and c.xid >= pg_snapshot_xmin(followed.seen::pg_snapshot)
    and not pg_visible_in_snapshot(c.xid, followed.seen::pg_snapshot)
  where c.sub_account_id = any($1)
  group by c.sub_account_id`;
