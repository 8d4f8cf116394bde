import { invalid } from '#core/fault.ts';
import type { View, CachedRead } from '#core/work.ts';
import type { Hours, OverrideEntry } from './calendar-entry.ts';
import { weeklyOf, windowsOf, type BookableType, type Schedule } from './schedule.ts';

interface OfferQuery {
  readonly appointmentTypeId?: string;
  readonly appointmentType?: string;
}

/**
 * Returns the active type with this id, else the one with this name or slug, or undefined. Throws
 * VALIDATION_ERROR for a name of several types; it lists them, so that the caller can choose by id.
 */
export async function resolveOffer(
  view: View,
  { appointmentTypeId, appointmentType }: OfferQuery,
): Promise<Offer | undefined> {
  if (appointmentTypeId !== undefined) {
    const offer = await findOffer(view, appointmentTypeId);
    return offer?.type.isActive ? offer : undefined;
  }
  if (appointmentType === undefined) {
    const message = 'is required unless appointmentType is given';
    throw invalid([{ in: 'query', path: '/appointmentTypeId', message }]);
  }
  const offers = await offersByName(view, appointmentType);
  if (offers.length > 1) {
    throw ambiguous(offers);
  }
  return offers[0];
}

function ambiguous(offers: readonly Offer[]) {
  const candidates = offers.map(({ calendar, type: { id, name, slug, duration } }) => {
    return { id, name, slug, duration, calendarId: calendar.id, calendarName: calendar.name };
  });
  const list = candidates.map(({ id, name, calendarName }) => `${name} of ${calendarName} (${id})`);
  const message = `is the name of several types; pass appointmentTypeId instead, one of: ${list.join(', ')}`;
  return invalid([{ in: 'query', path: '/appointmentType', message }], { candidates });
}

/** An appointment type with its calendar. */
export interface Offer {
  readonly calendar: BookableCalendar;
  readonly type: OfferedType;
}

/** Returns the offer as only this member gives it; without one, as it is. */
export function offerWith(offer: Offer, memberId: string | undefined): Offer {
  if (memberId === undefined) {
    return offer;
  }
  const { calendar } = offer;
  // A calendar without members is its own member, which is no person to choose.
  const only = memberId === calendar.id ? '' : memberId;
  return { ...offer, calendar: { ...calendar, schedule: { ...calendar.schedule, only } } };
}

/** Returns every type of every calendar, inactive types included. */
export async function allOffers(view: View): Promise<Offer[]> {
  const calendars = await bookableCalendars(view);
  return calendars.flatMap((calendar) => calendar.types.map((type) => ({ calendar, type })));
}

/** Returns the offer with this type id; inactive types are included. */
export async function findOffer(view: View, typeId: string | null): Promise<Offer | undefined> {
  for (const calendar of await bookableCalendars(view)) {
    const type = calendar.types.find(({ id }) => id === typeId);
    if (type) {
      return { calendar, type };
    }
  }
  return undefined;
}

/** Returns the active offers with this name or slug, ignoring case. */
async function offersByName(view: View, name: string): Promise<Offer[]> {
  const offers = await allOffers(view);
  return offers.filter(({ type }) => type.isActive && isCalled(type, name));
}

/** Returns why `resolveOffer` returned undefined for this query. */
export async function whyUnresolved(
  view: View,
  { appointmentTypeId, appointmentType = '' }: OfferQuery,
): Promise<'unknown' | 'inactive'> {
  const isMeant = (type: OfferedType) =>
    appointmentTypeId === undefined
      ? isCalled(type, appointmentType)
      : type.id === appointmentTypeId;
  const offers = await allOffers(view);
  return offers.some(({ type }) => isMeant(type)) ? 'inactive' : 'unknown';
}

const isCalled = ({ name, slug }: OfferedType, text: string): boolean =>
  [name, slug].map(fold).includes(fold(text));

const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();

interface OfferedType extends BookableType {
  readonly key: string;
  readonly name: string;
  readonly slug: string;
  readonly isActive: boolean;
  readonly description: string | null;
  /** In the sub-account's currency. */
  readonly price: number | null;
  readonly location: string | null;
  readonly videoUrl: string | null;
}

/** A stored calendar with its members and types, in their order. */
interface CalendarRow extends Omit<Schedule, 'hours' | 'overrides' | 'members'> {
  readonly id: string;
  readonly name: string;
  /** The sub-account's locale. */
  readonly locale: string;
  readonly hours: Hours;
  readonly overrides: readonly OverrideEntry[];
  readonly allowCustomerReschedule: boolean;
  readonly cancelNotice: number;
  readonly rescheduleNotice: number;
  readonly showSeats: boolean;
  /** Minutes; null: no waiting list. */
  readonly waitingListMinutes: number | null;
  readonly members: readonly { readonly memberId: string; readonly hours: Hours | null }[];
  readonly types: readonly OfferedType[];
}

export interface BookableCalendar extends Omit<CalendarRow, 'hours' | 'overrides' | 'members'> {
  /** The same calendar for the slot engine. */
  readonly schedule: Schedule;
}

/** Returns the calendars that a sub-account offers, in their order. They are cached until one changes. */
export async function bookableCalendars(view: View): Promise<readonly BookableCalendar[]> {
  return (await view.cached(CALENDARS)).map(bookable);
}

/** Hours are parsed once per cached row. */
const parsed = new WeakMap<CalendarRow, BookableCalendar>();

function bookable(row: CalendarRow): BookableCalendar {
  let calendar = parsed.get(row);
  if (!calendar) {
    const { hours: _hours, overrides: _overrides, members: _members, ...plain } = row;
    calendar = { ...plain, schedule: scheduleOf(row) };
    parsed.set(row, calendar);
  }
  return calendar;
}

function scheduleOf({ id, hours, overrides, members, ...plain }: CalendarRow): Schedule {
  return {
    ...plain,
    hours: weeklyOf(hours),
    overrides: overrides.map(({ date, hours: texts }) => ({ date, hours: windowsOf(texts) })),
    members:
      members.length === 0
        ? [{ memberId: id }]
        : members.map((one) => ({ ...one, hours: one.hours && weeklyOf(one.hours) })),
  };
}

/** Includes inactive types, so that their appointments can still be moved. */
const CALENDARS: CachedRead<CalendarRow> = {
  tables: ['calendars', 'calendar_members', 'appointment_types', 'sub_accounts'],
  text: `select c.id, c.name, c.type as kind, coalesce(c.timezone, a.timezone) as timezone, a.locale,
      c.hours, c.overrides, c.slot_interval as "slotInterval", c.buffer_before as "bufferBefore",
      c.buffer_after as "bufferAfter", c.minimum_notice as "minimumNotice",
      c.maximum_advance as "maximumAdvance", c.max_per_day as "maxPerDay",
      c.allow_customer_reschedule as "allowCustomerReschedule", c.cancel_notice as "cancelNotice",
      c.reschedule_notice as "rescheduleNotice", c.show_seats as "showSeats",
      c.waiting_list_minutes as "waitingListMinutes",
      coalesce((
        select json_agg(json_build_object('memberId', m.member_id, 'hours', m.hours)
          order by m.position)
        from calendar_members m where m.sub_account_id = $1 and m.calendar_id = c.id
      ), '[]') as members,
      coalesce((
        select json_agg(json_build_object('id', t.id, 'key', t.key, 'name', t.name, 'slug', t.slug,
          'duration', t.duration, 'seats', t.seats, 'isActive', t.is_active,
          'description', t.description, 'price', t.price, 'location', t.location,
          'videoUrl', t.video_url) order by t.position)
        from appointment_types t
        where t.sub_account_id = $1 and t.calendar_id = c.id and t.deleted_at is null
      ), '[]') as types
    from calendars c join sub_accounts a on a.id = c.sub_account_id
    where c.sub_account_id = $1 and c.deleted_at is null and a.deleted_at is null
    order by c.position, c.id`,
};
