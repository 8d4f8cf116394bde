import { Fault } from '#core/fault.ts';
import type { IdOf } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { AppointmentType } from './appointment-type.entity.ts';
import type { MemberEntry } from './calendar-entry.ts';
import { CalendarMember } from './calendar-member.entity.ts';
import type { WholeType } from './complete-calendar.ts';
import { keyOfMember } from './validate-calendar.ts';

/** Replaces the members of a calendar, in this order. */
export function setMembers(
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
export async function setTypes(
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
 * bookings of it until the work ends. Past and cancelled appointments keep their removed type.
 */
export async function refuseWhileBooked(
  work: Work,
  calendarKey: string,
  types: readonly AppointmentType[],
): Promise<void> {
  if (types.length === 0) {
    return;
  }
  const ids = types.map(({ id }) => id);
  await work.rows(LOCK_TYPES, [work.subAccountId, ids]);
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

const LOCK_TYPES = `select pg_advisory_xact_lock(type_lock(id)) from (
    select id from appointment_types
    where sub_account_id = $1 and id = any($2::uuid[]) order by id
  ) as locked`;

const COUNT_BY_TYPE = `select appointment_type_id as id, count(*) as count from appointments
  where sub_account_id = $1 and appointment_type_id = any($2::uuid[])
    and status in ('scheduled', 'confirmed') and end_time > $3
  group by appointment_type_id`;
