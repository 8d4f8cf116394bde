import type { View } from '#core/work.ts';
import type { Block, BookableType, BusyTimes, Schedule } from '../../calendars/schedule.ts';
import { localDate } from '../../calendars/slots/zone.ts';

interface Span {
  readonly from: number;
  readonly until: number;
}

interface BusyTimesQuery {
  readonly calendarId: string;
  readonly schedule: Schedule;
  readonly type: BookableType;
  /** Blocks that overlap this time are loaded. */
  readonly window: Span;
  /** The whole local days whose bookings count towards `maxPerDay`. */
  readonly days: Span;
  /** The appointment that is being moved: its own block is no conflict. */
  readonly except?: string | undefined;
}

export const NO_BUSY_TIMES: BusyTimes = { blocks: [], perDate: new Map() };

/** Returns the times that bookings and external calendars block, read in one statement. */
export async function loadBusyTimes(
  rows: View['rows'],
  subAccountId: string,
  query: BusyTimesQuery,
): Promise<BusyTimes> {
  const { calendarId, schedule, type, window, days, except = null } = query;
  const [row] = await rows<BusyTimesRow>(BUSY_TIMES, [
    subAccountId,
    schedule.members.map(({ memberId }) => memberId),
    new Date(window.from),
    new Date(window.until),
    schedule.kind === 'class' ? type.id : null,
    schedule.maxPerDay === null ? null : calendarId,
    except,
    new Date(days.from),
    new Date(days.until),
  ]);
  if (!row) {
    return NO_BUSY_TIMES;
  }
  const perDate = new Map<string, number>();
  for (const start of row.starts) {
    const date = localDate(schedule.timezone, start);
    perDate.set(date, (perDate.get(date) ?? 0) + 1);
  }
  return { blocks: [...row.blocks, ...row.external], perDate };
}

interface BusyTimesRow {
  readonly blocks: readonly Block[];
  /** Busy times of the members' external calendars. */
  readonly external: readonly Block[];
  /** Starts of the calendar's bookings; empty unless the calendar limits bookings per day. */
  readonly starts: readonly number[];
}

const EPOCH_MS = (instant: string) => `(extract(epoch from ${instant}) * 1000)::int8`;

/**
 * Reads the members' blocks that overlap the window. For a class it adds seats whose giver is not a
 * member of the calendar now; for a calendar with a limit per day, the starts of its bookings. Each booking and each availability
 * query runs it (bench scenario `book-hot-slot`).
 */
const BUSY_TIMES = `select
  coalesce((
    select json_agg(json_build_object('memberId', b.member_id,
      'from', ${EPOCH_MS('lower(b.block)')}, 'until', ${EPOCH_MS('upper(b.block)')},
      'seat', case when b.seat is not null then json_build_object(
        'typeId', b.seat_type_id, 'start', ${EPOCH_MS('b.seat_start')}) end))
    from (
      select found.* from unnest($2::uuid[]) as one
      join appointment_blocks found on found.sub_account_id = $1 and found.member_id = one
        and found.block && tstzrange($3, $4)
      where found.appointment_id is distinct from $7::uuid
      union all
      select found.* from appointment_blocks found
      where found.sub_account_id = $1 and found.seat_type_id = $5::uuid and found.seat is not null
        and found.seat_start >= $3 and found.seat_start < $4
        and found.member_id <> all ($2::uuid[]) and found.appointment_id is distinct from $7::uuid
    ) as b
  ), '[]') as blocks,
  coalesce((
    select json_agg(json_build_object('memberId', e.member_id,
      'from', ${EPOCH_MS('lower(e.busy)')}, 'until', ${EPOCH_MS('upper(e.busy)')}))
    from (
      select member_id, unnest(busy * tstzmultirange(tstzrange($3, $4))) as busy
      from external_busy where sub_account_id = $1 and member_id = any ($2::uuid[])
    ) as e
  ), '[]') as external,
  coalesce((
    select json_agg(${EPOCH_MS('a.start_time')}) from appointments a
    where a.sub_account_id = $1 and a.calendar_id = $6::uuid and a.status <> 'cancelled'
      and a.start_time >= $8 and a.start_time < $9 and a.id is distinct from $7::uuid
  ), '[]') as starts`;
