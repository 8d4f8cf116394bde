import type { View, Work } from '#core/work.ts';
import type {
  Block,
  BookableType,
  BusyTimes,
  ExternalTimes,
  Schedule,
} from '../../calendars/schedule.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { inSlices } from '#lib/in-slices.ts';

interface Span {
  readonly from: number;
  readonly until: number;
}

export interface BusyTimesQuery {
  readonly calendarId: string;
  readonly schedule: Schedule;
  readonly type: BookableType;
  /** Blocks that overlap this time are loaded. */
  readonly window: Span;
  /** The whole local days whose bookings count towards `maxPerDay`. */
  readonly days: Span;
  /** The appointment that is moved, or the offer that is accepted: its own block is no conflict. */
  readonly except?: string | undefined;
}

export const NO_BUSY_TIMES: BusyTimes = { blocks: [], perDate: new Map() };

/** Returns the times that bookings and external calendars block, read in one statement. */
export async function loadBusyTimes(
  rows: View['rows'],
  subAccountId: string,
  query: BusyTimesQuery,
): Promise<BusyTimes> {
  const row = await readRow(rows, [...valuesOf(subAccountId, query), null]);
  return busyTimesOf(row, subAccountId, query.schedule);
}

/** Like `loadBusyTimes`; returns undefined if there are more than `blocksMax` blocks, and reads no more. */
export async function loadFewBusyTimes(
  rows: View['rows'],
  subAccountId: string,
  { blocksMax, ...query }: BusyTimesQuery & { readonly blocksMax: number },
): Promise<BusyTimes | undefined> {
  const row = await readRow(rows, [...valuesOf(subAccountId, query), blocksMax + 1]);
  return row.blocks.length > blocksMax
    ? undefined
    : await busyTimesOf(row, subAccountId, query.schedule);
}

async function readRow(rows: View['rows'], values: readonly unknown[]): Promise<BusyTimesRow> {
  const [row] = await rows<BusyTimesRow>(BUSY_TIMES, values);
  return row ?? { blocks: [], external: [], starts: [] };
}

/** The busy times around a slot, and of the day after its start if it seems to be taken. */
interface BookingBusyTimes {
  readonly busy: BusyTimes;
  readonly later: BusyTimes | undefined;
}

/**
 * Returns the busy times of a slot. If it seems to be taken, the same statement reads those of the
 * search for alternatives: a refusal seldom needs a second query, and a free slot does not pay for it.
 */
export async function loadForBooking(
  { subAccountId, readOutside: rows }: Pick<Work, 'subAccountId' | 'readOutside'>,
  schedule: Schedule,
  values: BookingValues,
): Promise<BookingBusyTimes> {
  const [row] = await rows<BookingBusyTimesRow>(BOOKING_BUSY_TIMES, values);
  return {
    busy: row ? await busyTimesOf(row, subAccountId, schedule) : { ...NO_BUSY_TIMES },
    later: row?.later ? await busyTimesOf(row.later, subAccountId, schedule) : undefined,
  };
}

/** The parameters of the statement of `loadForBooking`. */
export type BookingValues = readonly unknown[];

/** Returns the parameters of `loadForBooking`, which requests for the same slot share. */
export const bookingValues = (
  subAccountId: string,
  query: BusyTimesQuery,
  search: Pick<BusyTimesQuery, 'window' | 'days'>,
): BookingValues => [
  ...valuesOf(subAccountId, query),
  timeValue(search.window.from),
  timeValue(search.window.until),
  timeValue(search.days.from),
  timeValue(search.days.until),
  blocksOfTakenSlot(query.schedule, query.type),
  query.schedule.maxPerDay,
];

/** Returns the fewest blocks that a taken slot usually has. With fewer, alternatives need a second query. */
function blocksOfTakenSlot({ kind, members }: Schedule, { seats }: BookableType): number {
  if (kind === 'class') {
    return seats ?? 1;
  }
  return kind === 'round-robin' ? members.length : 1;
}

function valuesOf(subAccountId: string, query: BusyTimesQuery): readonly unknown[] {
  const { calendarId, schedule, type, window, days, except = null } = query;
  return [
    subAccountId,
    schedule.members.map(({ memberId }) => memberId),
    timeValue(window.from),
    timeValue(window.until),
    schedule.kind === 'class' ? type.id : null,
    schedule.maxPerDay === null ? null : calendarId,
    except,
    timeValue(days.from),
    timeValue(days.until),
  ];
}

/** The years that PostgreSQL reads in ISO 8601; it knows no year 0. */
const YEARS = /^(?!0000)\d{4}-/;

/**
 * Returns a text, since `singleFlight` compares parameters as JSON. Times of other years are passed as
 * dates, which the driver writes with an era.
 */
function timeValue(ms: number): string | Date {
  const time = new Date(ms);
  const iso = time.toISOString();
  return YEARS.test(iso) ? iso : time;
}

/** Concurrent requests for one slot share the row, and therefore its busy times. */
const busyTimes = new WeakMap<BusyTimesRow, Promise<BusyTimes>>();

function busyTimesOf(
  row: BusyTimesRow,
  subAccountId: string,
  schedule: Schedule,
): Promise<BusyTimes> {
  let busy = busyTimes.get(row);
  if (!busy) {
    busy = readBusyTimes(row, subAccountId, schedule);
    busyTimes.set(row, busy);
  }
  return busy;
}

/** Other work runs meanwhile: members may have hundreds of thousands of external busy times. */
async function readBusyTimes(
  row: BusyTimesRow,
  subAccountId: string,
  { timezone }: Schedule,
): Promise<BusyTimes> {
  const perDate = new Map<string, number>();
  await inSlices(subAccountId, row.starts, (start) => {
    const date = localDate(timezone, start);
    perDate.set(date, (perDate.get(date) ?? 0) + 1);
  });
  const external = new Map<string, ExternalTimes>();
  await inSlices(subAccountId, row.external, ({ memberId, times }) => {
    external.set(memberId, JSON.parse(`[${times}]`) as number[]);
  });
  return { blocks: row.blocks, external, perDate };
}

/** Returns what is computed once from busy times, however many requests share them. */
export function oncePerRead<T>(
  results: WeakMap<BusyTimes, Map<string, T>>,
  busy: BusyTimes,
  key: string,
  compute: () => T,
): T {
  const known = results.get(busy) ?? new Map<string, T>();
  results.set(busy, known);
  const result = known.get(key) ?? compute();
  known.set(key, result);
  return result;
}

interface BusyTimesRow {
  readonly blocks: readonly Block[];
  /**
   * The members whose external calendars are busy, and their bounds in epoch milliseconds, separated by
   * commas: a list of numbers would be parsed for all members at once.
   */
  readonly external: readonly { readonly memberId: string; readonly times: string }[];
  /** Starts of the calendar's bookings and open offers; empty unless it limits bookings per day. */
  readonly starts: readonly number[];
}

interface BookingBusyTimesRow extends BusyTimesRow {
  readonly later: BusyTimesRow | null;
}

/** The parameters of a window and of the days around it, and how many blocks are read at most. */
interface WindowParameters extends Readonly<
  Record<'from' | 'until' | 'dayFrom' | 'dayUntil', string>
> {
  readonly limit?: string;
}

/** Like `epochColumn`, in floating point: exact for milliseconds, and a third faster for many times. */
const floatMs = (expression: string): string => `(date_part('epoch', ${expression}) * 1000)::int8`;

const BLOCK = 'found.member_id, found.block, found.seat, found.seat_type_id, found.seat_start';

/**
 * Reads the members' blocks that overlap the window. For a class it adds seats whose giver is not a
 * member of the calendar now, and what the waiting list holds; for a calendar with a limit per day,
 * the starts of its bookings and of what the waiting list holds. Each booking and each availability
 * query runs it (bench scenario `book-hot-slot`).
 */
const columnsOf = ({ from, until, dayFrom, dayUntil, limit = 'all' }: WindowParameters): string => `
  coalesce((
    select json_agg(json_build_object('memberId', b.member_id,
      'from', ${floatMs('lower(b.block)')}, 'until', ${floatMs('upper(b.block)')},
      'seat', case when b.seat is not null then json_build_object(
        'typeId', b.seat_type_id, 'start', ${floatMs('b.seat_start')}) end))
    from (
      select ${BLOCK} from unnest($2::uuid[]) as one
      join appointment_blocks found on found.sub_account_id = $1 and found.member_id = one
        and found.block && tstzrange(${from}, ${until})
      where found.appointment_id is distinct from $7::uuid
      union all
      select ${BLOCK} from appointment_blocks found
      where found.sub_account_id = $1 and found.seat_type_id = $5::uuid and found.seat is not null
        and found.seat_start >= ${from} and found.seat_start < ${until}
        and found.member_id <> all ($2::uuid[]) and found.appointment_id is distinct from $7::uuid
      union all
      select one, o.blocked, case when o.is_seat and o.appointment_type_id = $5::uuid then 0 end,
        o.appointment_type_id, o.start_time
      from waiting_offers o cross join unnest(o.member_ids) as one
      where o.sub_account_id = $1 and o.state = 'offered' and one = any ($2::uuid[])
        and o.blocked && tstzrange(${from}, ${until}) and o.id is distinct from $7::uuid
      limit ${limit}
    ) as b
  ), '[]') as blocks,
  coalesce((
    select json_agg(json_build_object('memberId', e.member_id, 'times', own.times))
    from external_busy e cross join lateral (
      select string_agg(${floatMs('lower(one)')} || ',' || ${floatMs('upper(one)')}, ',') as times
      from unnest(e.busy * tstzmultirange(tstzrange(${from}, ${until}))) as one
    ) as own
    where e.sub_account_id = $1 and e.member_id = any ($2::uuid[]) and own.times is not null
  ), '[]') as external,
  coalesce((
    select json_agg(${floatMs('counted.start_time')}) from (
      select a.start_time from appointments a
      where a.sub_account_id = $1 and a.calendar_id = $6::uuid and a.status <> 'cancelled'
        and a.start_time >= ${dayFrom} and a.start_time < ${dayUntil}
        and a.id is distinct from $7::uuid
      union all
      select o.start_time from waiting_offers o
      where o.sub_account_id = $1 and o.calendar_id = $6::uuid and o.state = 'offered'
        and o.start_time >= ${dayFrom} and o.start_time < ${dayUntil}
        and o.id is distinct from $7::uuid
    ) as counted
  ), '[]') as starts`;

const slotWindow = { from: '$3', until: '$4', dayFrom: '$8', dayUntil: '$9' };
const ahead = columnsOf({ from: '$10', until: '$11', dayFrom: '$12', dayUntil: '$13' });

const BUSY_TIMES = `select ${columnsOf({ ...slotWindow, limit: '$10' })}`;

/** Of a taken slot, each member has a block or is busy in the external calendar. */
const BOOKING_BUSY_TIMES = `with slot as materialized (select ${columnsOf(slotWindow)})
  select slot.*, case
    when json_array_length(slot.blocks) + json_array_length(slot.external) >= $14::int
      or json_array_length(slot.starts) >= $15::int
    then (select row_to_json(search) from (select ${ahead}) as search) end as later
  from slot`;
