import type { Block, BookableType, Schedule, BusyTimes } from '../../calendars/schedule.ts';

interface Span {
  readonly from: number;
  readonly until: number;
}

/** What of the bookings matters to some slots, as the statements below ask for it. */
interface BusyTimesQuery {
  readonly calendarId: string;
  readonly schedule: Schedule;
  readonly type: BookableType;
  /** The time in which blocks matter. */
  readonly reach: Span;
  /** The whole local days that matter. */
  readonly days: Span;
  /** The appointment that is to be moved, which is in nobody's way. */
  readonly except?: string | undefined;
}

/** Rows in JSON: a booking needs its contact in the same statement. */
export interface TakenRow {
  readonly blocks: readonly Block[];
  /** Of the members' external calendars. */
  readonly busy: readonly Block[];
  readonly starts: readonly number[];
}

/** What `$1` to `$9` of TAKEN are. */
export const takenValues = (subAccountId: string, wanted: BusyTimesQuery): readonly unknown[] => {
  const { calendarId, schedule, type, reach, days, except = null } = wanted;
  return [
    subAccountId,
    schedule.members.map(({ memberId }) => memberId),
    new Date(reach.from),
    new Date(reach.until),
    schedule.kind === 'class' ? type.id : null,
    schedule.maxPerDay === null ? null : calendarId,
    except,
    new Date(days.from),
    new Date(days.until),
  ];
};

const EPOCH_MS = (instant: string) => `(extract(epoch from ${instant}) * 1000)::int8`;

/**
 * Blocks of the members that overlap the reach, the seats of a class whoever gives it, and, where a
 * day can be full, the starts of what the calendar has.
 */
export const BUSY_TIMES = `
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
  ), '[]') as busy,
  coalesce((
    select json_agg(${EPOCH_MS('a.start_time')}) from appointments a
    where a.sub_account_id = $1 and a.calendar_id = $6::uuid and a.status <> 'cancelled'
      and a.start_time >= $8 and a.start_time < $9 and a.id is distinct from $7::uuid
  ), '[]') as starts`;

/** `dateOf` gives the local date of a start. */
export function takenOf(
  { blocks, busy, starts }: TakenRow,
  dateOf: (start: number) => string,
): BusyTimes {
  const perDate = new Map<string, number>();
  for (const date of starts.map(dateOf)) {
    perDate.set(date, (perDate.get(date) ?? 0) + 1);
  }
  return { blocks: [...blocks, ...busy], perDate };
}

export const NOTHING_TAKEN: BusyTimes = { blocks: [], perDate: new Map() };
