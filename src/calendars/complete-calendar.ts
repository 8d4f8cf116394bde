import type {
  CalendarEntry,
  Confirmation,
  Hours,
  MemberEntry,
  Reminder,
  TypeEntry,
} from './calendar-entry.ts';
import { WEEKDAYS } from './schedule.ts';

const DURATION_MINUTES = 30;

type Whole<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

export type WholeType = Whole<TypeEntry>;

/** A calendar with all optional members filled in. */
export type WholeCalendar = Omit<
  Whole<CalendarEntry>,
  'buffers' | 'confirmation' | 'reminders' | 'types'
> & {
  readonly buffers: { readonly before: number; readonly after: number };
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
  readonly types: readonly WholeType[];
};

/** Fills in defaults. Leaving out `types` keeps the stored types; everything else left out is reset. */
export function completeCalendar(
  entry: CalendarEntry,
  stored: WholeCalendar | undefined,
): WholeCalendar {
  const { confirmation, buffers, members = [], overrides = [], reminders = [], types } = entry;
  return {
    ...DEFAULTS,
    ...entry,
    members: members.map(plainMember),
    hours: plainHours(entry.hours ?? {}),
    overrides,
    buffers: { before: 0, after: 0, ...buffers },
    confirmation: confirmation ? { subject: null, ...confirmation } : null,
    reminders: reminders.map((reminder) => ({ subject: null, ...reminder })),
    types: types?.map(completeType) ?? stored?.types ?? [],
  };
}

const DEFAULTS = {
  type: 'personal',
  timezone: null,
  slotInterval: null,
  minimumNotice: 0,
  maximumAdvance: null,
  maxPerDay: null,
  allowCustomerReschedule: true,
  cancelNotice: 0,
  rescheduleNotice: 0,
  showSeats: false,
} as const;

const completeType = ({
  key,
  name,
  slug = key,
  duration = DURATION_MINUTES,
  seats = null,
  active = true,
}: TypeEntry): WholeType => ({ key, name, slug, duration, seats, active });

/** A member without own hours is written as their key. */
export function plainMember(member: MemberEntry): MemberEntry {
  if (typeof member === 'string') {
    return member;
  }
  return member.hours ? { member: member.member, hours: plainHours(member.hours) } : member.member;
}

/** Leaves out days without windows, and sorts the days. */
export const plainHours = (hours: Hours): Hours =>
  Object.fromEntries(WEEKDAYS.flatMap((day) => (hours[day]?.length ? [[day, hours[day]]] : [])));
