import type { Json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import { textOf, type WireRow } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { isAmong } from '#platform/database/is-among.ts';
import { encodePage } from '#platform/database/pages.ts';
import type { Span } from './opening-hours.ts';

/** Time of a member that cannot be booked, next to their appointments. */
export const takenSchema = s.response({
  kind: s.oneOf(['busy', 'reserved', 'buffer']),
  memberId: s.uuid(),
  startTime: s.isoTime(),
  endTime: s.isoTime(),
});

/** The times are cut at the ends of the days. */
const record = recordSchema(takenSchema, 'taken', {
  startTime: 'greatest(taken.starts, $3)',
  endTime: 'least(taken.ends, $4)',
});
const START_COLUMN = Object.keys(takenSchema.properties).indexOf('startTime');

/** Together 2.6 MB: a member has up to 200,000 busy times, a large team thousands of buffers a day. */
const TAKEN_MAX = 18_000;

interface TakenTimes {
  readonly data: Json;
  /** How many of the days are whole; 1 if not even the first one is. */
  readonly days: number;
  readonly isCut: boolean;
}

/** Returns the taken times of some members: those of as many whole days as fit, or the first of one day. */
export async function readTaken(
  view: View,
  memberIds: readonly string[],
  days: readonly Span[],
): Promise<TakenTimes> {
  const read = (some: readonly Span[]) => {
    const times = [some[0]?.from, some.at(-1)?.until].map((ms) => new Date(ms ?? 0));
    return view.wirePage(TAKEN, [view.subAccountId, memberIds, ...times], TAKEN_MAX);
  };
  let page = await read(days);
  const { hasMore: isCut } = page;
  const count = isCut ? Math.max(1, wholeDays(page.rows, days)) : days.length;
  if (isCut) {
    page = await read(days.slice(0, count));
  }
  return { data: await encodePage(view, record, page, 0), days: count, isCut };
}

/** Returns how many days end before the last row begins: further rows of its own day are missing. */
function wholeDays(rows: readonly WireRow[], days: readonly Span[]): number {
  const last = Date.parse(`${textOf(rows.at(-1), START_COLUMN)?.replace(' ', 'T')}Z`);
  return days.findIndex(({ until }) => last < until);
}

/**
 * Seats of a class share their buffers: `union` returns them once. Blocks get the times of their
 * appointments by sorting both: a join would compare all of them in an unanalysed sub-account.
 */
export const TAKEN = `with blocked as materialized (
    select b.appointment_id, b.member_id, b.block
    from unnest($2::uuid[]) as one
    join appointment_blocks b on b.sub_account_id = $1 and b.member_id = one
      and b.block && tstzrange($3, $4)
    where b.sub_account_id = $1
  ), booked as materialized (
    select member_id, block, max(start_time) over same as start_time, max(end_time) over same as end_time
    from (
      select appointment_id, member_id, block, null::timestamptz as start_time,
        null::timestamptz as end_time
      from blocked
      union all
      select id, null, null, start_time, end_time from appointments
      where sub_account_id = $1 and ${isAmong('id', 'select appointment_id from blocked')}
    ) as a
    window same as (partition by appointment_id)
  )
  select ${record.members}
  from (
    select 'busy' as kind, member_id, lower(busy) as starts, upper(busy) as ends from (
      select member_id, unnest(busy * tstzmultirange(tstzrange($3, $4))) as busy
      from external_busy where sub_account_id = $1 and member_id = any ($2::uuid[])
    ) as e
    union
    select 'reserved', one, lower(o.blocked), upper(o.blocked)
    from waiting_offers o cross join unnest(o.member_ids) as one
    where o.sub_account_id = $1 and o.state = 'offered' and o.blocked && tstzrange($3, $4)
    union
    select 'buffer', member_id, lower(block), start_time from booked where member_id is not null
    union
    select 'buffer', member_id, end_time, upper(block) from booked where member_id is not null
  ) as taken
  where starts < ends and starts < $4 and ends > $3
  order by starts, member_id, kind
  limit ${TAKEN_MAX + 1}`;
