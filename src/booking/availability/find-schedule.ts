import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { bookableCalendars, type BookableCalendar } from '../../calendars/offers.ts';
import type { Schedule } from '../../calendars/schedule.ts';
import { openingsOf, type Stretch } from '../../calendars/slots/openings.ts';
import { daysOf } from '../../calendars/slots/slots-of.ts';
import { dayAt, zoneAround } from '../../calendars/slots/zone.ts';
import { assertRange, type AvailabilityQuery } from './availability.schema.ts';
import { isAmong } from '#platform/database/is-among.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';

/** Opening hours of a calendar, with the members who work then. */
interface HoursRow {
  readonly calendarId: string;
  /** The calendar's id if it has no members. */
  readonly memberIds: readonly string[];
  readonly startTime: string;
  readonly endTime: string;
}

export const TAKEN_KINDS = ['busy', 'reserved', 'buffer'] as const;

/** Time of a member that cannot be booked, next to their appointments. */
interface TakenRow {
  readonly kind: (typeof TAKEN_KINDS)[number];
  readonly memberId: string;
  readonly startTime: string;
  readonly endTime: string;
}

/** A type whose starts have several seats. */
interface ClassType {
  readonly appointmentTypeId: string;
  readonly name: string;
  readonly seats: number;
}

interface ScheduleOfDays {
  readonly hours: readonly HoursRow[];
  readonly taken: readonly TakenRow[];
  readonly classes: readonly ClassType[];
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * Returns what shapes the days of the sub-account's zone, its end included: opening hours, busy times of
 * external calendars, slots held for the waiting list, and buffers around appointments. Names the classes.
 */
export async function findSchedule(
  view: View,
  dates: Pick<AvailabilityQuery, 'date' | 'endDate'>,
): Promise<ScheduleOfDays> {
  assertRange(dates);
  const { date: from, endDate: to = from } = dates;
  const span = daysOf(await zoneOfSubAccount(view), { from, to });
  const calendars = await bookableCalendars(view);
  const hours = calendars.flatMap(({ id, schedule }) =>
    hoursOf(schedule, span).map((one) => ({ calendarId: id, ...one })),
  );
  const members = calendars.flatMap(({ schedule }) => schedule.members);
  const memberIds = [...new Set(members.map(({ memberId }) => memberId))];
  const times = [new Date(span.from), new Date(span.until)];
  const taken = await view.rows<TakenRow>(TAKEN, [view.subAccountId, memberIds, ...times]);
  return { hours, taken, classes: classesIn(calendars) };
}

const classesIn = (calendars: readonly BookableCalendar[]): readonly ClassType[] =>
  calendars
    .filter(({ kind }) => kind === 'class')
    .flatMap(({ types }) =>
      types.map(({ id, name, seats }) => ({ appointmentTypeId: id, name, seats: seats ?? 1 })),
    );

/** The days are those of the calendar's own zone: the first and the last reach out of the span. */
function hoursOf(schedule: Schedule, span: Span): Omit<HoursRow, 'calendarId'>[] {
  const { timezone } = schedule;
  const first = dayAt(zoneAround(timezone, span.from), span.from);
  const last = dayAt(zoneAround(timezone, span.until), span.until - 1);
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return days.flatMap((day) => {
    const openings = openingsOf(schedule, zoneAround(timezone, span.from), day);
    return typeof openings === 'string'
      ? []
      : openings.flatMap(({ memberIds, stretches }) =>
          stretches.flatMap((stretch) =>
            cut(stretch, span).map((times) => ({ memberIds: [...memberIds], ...times })),
          ),
        );
  });
}

function cut({ start, end }: Stretch, { from, until }: Span) {
  const [begin, finish] = [Math.max(start, from), Math.min(end, until)];
  return begin < finish
    ? [{ startTime: new Date(begin).toISOString(), endTime: new Date(finish).toISOString() }]
    : [];
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
  select kind, member_id as "memberId", ${isoText('greatest(starts, $3)')} as "startTime",
    ${isoText('least(ends, $4)')} as "endTime"
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
  order by starts, member_id, kind`;
