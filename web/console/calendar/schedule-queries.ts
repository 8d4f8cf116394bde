import { today, type CalendarDate } from '@internationalized/date';
import { useQuery } from '@tanstack/react-query';
import type { Slot } from '../../../sdk/src/generated/shared.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { endOf, startOf, type Span } from './day-grid.ts';
import type { ClassType } from './grid-entries.ts';

export interface HoursSpan extends Span {
  readonly calendarId: string;
  /** The calendar's id if it has no members. */
  readonly memberIds: readonly string[];
}

/** What the server returns: members who work at the same times are named once. */
interface SchedulePart extends Pick<Schedule, 'taken' | 'classes'> {
  readonly groups: readonly (readonly string[])[];
  readonly hours: readonly (Omit<HoursSpan, 'memberIds'> & { readonly group: number })[];
}

export interface TakenSpan extends Span {
  readonly kind: 'busy' | 'reserved' | 'buffer';
  readonly memberId: string;
}

export interface Schedule {
  readonly hours: readonly HoursSpan[];
  readonly taken: readonly TakenSpan[];
  readonly classes: readonly ClassType[];
}

/** Returns the opening hours of some days, what is taken besides appointments, and the classes; those of other days are no stand-in. */
export function useSchedule(days: readonly CalendarDate[]) {
  const { subAccountId, timezone } = usePlace().membership;
  const { first, last } = rangeOf(days, timezone);
  return useQuery({
    queryKey: [subAccountId, 'schedule', { date: first.toString(), endDate: last.toString() }],
    queryFn: ({ signal }) => loadSchedule(subAccountId, first, last, signal),
  });
}

/** A response has as many whole days as fit. */
async function loadSchedule(
  subAccountId: string,
  first: CalendarDate,
  last: CalendarDate,
  signal: AbortSignal,
): Promise<Schedule> {
  const parts: Schedule[] = [];
  for (let date = first; date.compare(last) <= 0;) {
    const { data, meta } = await consoleCalls(subAccountId).answer<
      SchedulePart,
      { readonly daysReturned: number }
    >('GET', '/api/v1/calendars/schedule', {
      query: { date: date.toString(), endDate: last.toString() },
      options: { signal },
    });
    parts.push({ ...data, hours: hoursIn(data) });
    date = date.add({ days: meta.daysReturned });
  }
  return {
    hours: parts.flatMap(({ hours }) => hours),
    taken: parts.flatMap(({ taken }) => taken),
    classes: parts[0]?.classes ?? [],
  };
}

const hoursIn = ({ groups, hours }: SchedulePart): readonly HoursSpan[] =>
  hours.map(({ group, ...span }) => ({ ...span, memberIds: groups[group] ?? [] }));

const rangeOf = (days: readonly CalendarDate[], timezone: string) => {
  const first = days[0] ?? today(timezone);
  return { first, last: days.at(-1) ?? first };
};

/** What a start is wanted for: a new appointment of a type, or a moved one. */
export type SlotsOf =
  | ({ readonly kind: 'type'; readonly typeId: string } & WithMember)
  | ({ readonly kind: 'move'; readonly appointmentId: string } & WithMember);

interface WithMember {
  /** The member who must take it; of several, anyone may if it is missing. */
  readonly memberId?: string | undefined;
}

/**
 * Returns the free slots of some days of the sub-account's zone. A calendar may be in another one: a
 * day more is read at both ends.
 */
export function useFreeSlots(of: SlotsOf | null, days: readonly CalendarDate[]) {
  const { subAccountId, timezone } = usePlace().membership;
  const { first, last } = rangeOf(days, timezone);
  const dates = {
    date: first.subtract({ days: 1 }).toString(),
    endDate: last.add({ days: 1 }).toString(),
  };
  const [from, until] = [startOf(first, timezone), endOf(last, timezone)];
  return useQuery({
    queryKey: [subAccountId, 'slots', of, dates],
    async queryFn({ signal }) {
      const slots = of === null ? [] : await loadSlots(subAccountId, of, dates, signal);
      return slots.filter(({ startTime }) => startTime >= from && startTime < until);
    },
    enabled: of !== null,
  });
}

async function loadSlots(
  subAccountId: string,
  of: SlotsOf,
  dates: { readonly date: string; readonly endDate: string },
  signal: AbortSignal,
): Promise<readonly Slot[]> {
  const options = { signal };
  const query = { ...dates, assignedTo: of.memberId };
  if (of.kind === 'move') {
    const path = `/api/v1/calendars/appointments/${of.appointmentId}/slots` as const;
    return consoleCalls(subAccountId).data<Slot[]>('GET', path, { query, options });
  }
  const { calendars } = clientOf(subAccountId);
  return (await calendars.availability({ appointmentTypeId: of.typeId, ...query }, options)).data;
}

/** Returns the appointment types that can be booked. */
export function useAppointmentTypes() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'appointment-types'],
    queryFn: ({ signal }) => clientOf(subAccountId).calendars.types({}, { signal }),
  });
}
