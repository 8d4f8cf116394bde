import { isDeepStrictEqual } from 'node:util';
import { Fault } from '#core/fault.ts';
import { defineSection, type IdOf } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { mergeFieldCautions } from '../contacts/merge-field-cautions.ts';
import { TeamMember } from '../accounts/team/team-member.entity.ts';
import { AppointmentType } from './appointment-type.entity.ts';
import {
  calendarEntry,
  completeCalendar,
  plainHours,
  plainMember,
  type WholeCalendar,
  type MemberEntry,
  type WholeType,
} from './calendar-entry.ts';
import { CalendarMember } from './calendar-member.entity.ts';
import { Calendar } from './calendar.entity.ts';
import { remindersChanged } from './calendar.events.ts';
import { lockBookings } from './lock-bookings.ts';
import { NOTICE_FIELDS, noticeTextsOf } from './notice-texts.ts';
import { calendarIssues, keyOfMember } from './validate-calendar.ts';

/** A calendar with its members and types, in their order. */
interface CalendarParts {
  readonly calendar: Calendar;
  members: CalendarMember[];
  types: AppointmentType[];
  readonly keyOfId: ReadonlyMap<string, string>;
}

export const calendarsSection = defineSection({
  name: 'calendars',
  summary: 'Calendars: appointment types, opening hours and members.',
  match: 'key',
  schema: calendarEntry,
  check: calendarIssues,
  nested: 'types',
  references: ({ members = [] }) =>
    members.map((member, index) => ({
      section: 'team',
      key: keyOfMember(member),
      path: `/members/${index}${typeof member === 'string' ? '' : '/member'}`,
    })),
  complete: completeCalendar,
  cautions: (stored: WholeCalendar, entry) =>
    typesWithout(stored.types, entry).map(({ key }) => `${entry.key} loses its type ${key}`),
  cautionsAbroad: (work, entry: WholeCalendar) =>
    mergeFieldCautions(work, {
      entry: entry.key,
      texts: noticeTextsOf(entry),
      fields: NOTICE_FIELDS,
    }),
  load,
  valueOf,
  idOf: ({ calendar }) => calendar.id,
  nestedIdsOf: ({ types }) => ({
    appointmentTypes: Object.fromEntries(types.map(({ key, id }) => [key, id])),
  }),
  async create(work, entry, key, idOf) {
    const { em, subAccountId, now } = work;
    const former = await em.findOne(Calendar, { subAccountId, key });
    const fields = { ...fieldsOf(entry), updatedAt: now, deletedAt: null };
    const calendar = former
      ? em.assign(former, fields)
      : em.create(Calendar, {
          ...fields,
          subAccountId,
          id: newId(now),
          key,
          position: 0,
          createdAt: now,
        });
    em.persist(calendar);
    await em.flush();
    const row: CalendarParts = { calendar, members: [], types: [], keyOfId: new Map() };
    await setParts(work, row, entry, idOf);
    return row;
  },
  async update(work, row, entry, idOf) {
    const { calendar, types } = row;
    const dropped = typesWithout(types, entry);
    await refuseWhileBooked(work, calendar.key, dropped);
    dropped.forEach((type) => retire(work, type));
    if (!isDeepStrictEqual(calendar.reminders, entry.reminders)) {
      await work.emit(remindersChanged, { contactId: null, data: { calendarId: calendar.id } });
    }
    work.em.assign(calendar, { ...fieldsOf(entry), updatedAt: work.now });
    await setParts(work, row, entry, idOf);
  },
  async remove(work, { calendar, members, types }) {
    await refuseWhileBooked(work, calendar.key, types);
    types.forEach((type) => retire(work, type));
    members.forEach((member) => work.em.remove(member));
    retire(work, calendar);
  },
  place({ calendar }, position) {
    calendar.position = position;
  },
});

async function load({ em, subAccountId }: Work): Promise<CalendarParts[]> {
  const orderBy = { position: 'asc' } as const;
  const live = { subAccountId, deletedAt: null };
  const calendars = await em.find(Calendar, live, { orderBy: { ...orderBy, id: 'asc' } });
  const members = await em.find(CalendarMember, { subAccountId }, { orderBy });
  const types = await em.find(AppointmentType, live, { orderBy });
  const team = await em.find(TeamMember, { subAccountId });
  const keyOfId = new Map(team.map(({ id, key }) => [id, key]));
  return calendars.map((calendar) => {
    const isOwn = ({ calendarId }: { readonly calendarId: string }) => calendarId === calendar.id;
    return { calendar, members: members.filter(isOwn), types: types.filter(isOwn), keyOfId };
  });
}

function valueOf({ calendar, members, types, keyOfId }: CalendarParts): WholeCalendar {
  const { bufferBefore: before, bufferAfter: after } = calendar;
  return {
    key: calendar.key,
    name: calendar.name,
    type: calendar.type,
    timezone: calendar.timezone ?? null,
    members: members.map(({ memberId, hours = null }) =>
      plainMember({ member: keyOfId.get(memberId) ?? '', hours }),
    ),
    hours: plainHours(calendar.hours),
    overrides: calendar.overrides.map(({ date, hours }) => ({ date, hours })),
    slotInterval: calendar.slotInterval ?? null,
    buffers: { before, after },
    minimumNotice: calendar.minimumNotice,
    maximumAdvance: calendar.maximumAdvance ?? null,
    maxPerDay: calendar.maxPerDay ?? null,
    allowCustomerReschedule: calendar.allowCustomerReschedule,
    cancelNotice: calendar.cancelNotice,
    rescheduleNotice: calendar.rescheduleNotice,
    showSeats: calendar.showSeats,
    waitingListMinutes: calendar.waitingListMinutes ?? null,
    confirmation: calendar.confirmation ?? null,
    reminders: calendar.reminders,
    types: types.map(typeOf),
  };
}

function typeOf(type: AppointmentType): WholeType {
  const { key, name, slug, duration, seats = null, isActive: active } = type;
  const { description = null, price = null, location = null, videoUrl = null } = type;
  return { key, name, slug, duration, seats, description, price, location, videoUrl, active };
}

/** Returns the columns of the calendar itself. */
function fieldsOf({ key: _key, members: _members, types: _types, buffers, ...own }: WholeCalendar) {
  return {
    ...own,
    overrides: [...own.overrides],
    bufferBefore: buffers.before,
    bufferAfter: buffers.after,
  };
}

async function setParts(
  work: Work,
  row: CalendarParts,
  entry: WholeCalendar,
  idOf: IdOf,
): Promise<void> {
  row.members = setMembers(work, row.calendar.id, row.members, entry.members, idOf);
  row.types = await setTypes(work, row.calendar, entry.types);
}

function retire({ em, now }: Work, one: Calendar | AppointmentType): void {
  em.assign(one, { deletedAt: now, updatedAt: now });
}

const typesWithout = <T extends { readonly key: string }>(
  types: readonly T[],
  entry: WholeCalendar,
): T[] => types.filter(({ key }) => !entry.types.some((one) => one.key === key));

/** Replaces the members of a calendar, in this order. */
function setMembers(
  { em, subAccountId, now }: Work,
  calendarId: string,
  stored: readonly CalendarMember[],
  entries: readonly MemberEntry[],
  idOf: IdOf,
): CalendarMember[] {
  const members = entries.map((entry, position) => {
    const memberId = idOf('team', keyOfMember(entry));
    const hours = typeof entry === 'string' ? null : (entry.hours ?? null);
    const known = stored.find((one) => one.memberId === memberId);
    if (known) {
      return em.assign(known, { position, hours });
    }
    const fields = { subAccountId, id: newId(now), calendarId, memberId, position, hours };
    const fresh = em.create(CalendarMember, fields);
    em.persist(fresh);
    return fresh;
  });
  stored.filter((one) => !members.includes(one)).forEach((one) => em.remove(one));
  return members;
}

interface CalendarRef {
  readonly id: string;
  readonly key: string;
}

/** Replaces the types of a calendar, in this order. Types that exist or existed keep their ids. */
async function setTypes(
  work: Work,
  calendar: CalendarRef,
  types: readonly WholeType[],
): Promise<AppointmentType[]> {
  const { em, subAccountId, now } = work;
  const keys = types.map(({ key }) => key);
  const known = await em.find(AppointmentType, { subAccountId, key: { $in: keys } });
  return types.map(({ active: isActive, ...one }, position) => {
    const stored = known.find(({ key }) => key === one.key);
    const fields = { ...one, isActive, position, calendarId: calendar.id, updatedAt: now };
    if (stored) {
      assertOwnType(stored, calendar);
      return em.assign(stored, { ...fields, deletedAt: null });
    }
    const times = { createdAt: now, deletedAt: null };
    const fresh = em.create(AppointmentType, { ...fields, ...times, subAccountId, id: newId(now) });
    em.persist(fresh);
    return fresh;
  });
}

/** Bookings stay with their calendar, so a type cannot move to another one. */
function assertOwnType(
  { key, calendarId, deletedAt }: AppointmentType,
  calendar: CalendarRef,
): void {
  if (calendarId !== calendar.id && !deletedAt) {
    throw new Fault(
      'VALIDATION_ERROR',
      `calendar ${calendar.key} cannot have the type ${key}: another calendar has it, and keys of types are unique in a sub-account`,
    );
  }
}

/**
 * Throws VALIDATION_ERROR if a type that is removed still has upcoming appointments, and blocks new
 * bookings of the sub-account until the work ends. Past and cancelled appointments keep their removed type.
 */
async function refuseWhileBooked(
  work: Work,
  calendarKey: string,
  types: readonly AppointmentType[],
): Promise<void> {
  if (types.length === 0) {
    return;
  }
  const ids = types.map(({ id }) => id);
  await lockBookings(work);
  const values = [work.subAccountId, ids, work.now];
  const booked = await work.rows<{ id: string; count: number }>(COUNT_BY_TYPE, values);
  if (booked.length > 0) {
    const counts = types.flatMap(({ id, key }) => {
      const count = booked.find((one) => one.id === id)?.count;
      return count === undefined ? [] : [`${count} of its type ${key}`];
    });
    const total = booked.reduce((sum, { count }) => sum + count, 0);
    throw new Fault(
      'VALIDATION_ERROR',
      `calendar ${calendarKey} still has ${total} upcoming ${total === 1 ? 'appointment' : 'appointments'}: ${counts.join(', ')}; nothing was changed`,
    );
  }
}

const COUNT_BY_TYPE = `select appointment_type_id as id, count(*) as count from appointments
  where sub_account_id = $1 and appointment_type_id = any($2::uuid[])
    and status in ('scheduled', 'confirmed') and end_time > $3
  group by appointment_type_id`;
