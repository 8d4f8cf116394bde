import { newId } from '#lib/id.ts';
import type { IdOf } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import type { MemberEntry } from './calendar-entry.ts';
import { CalendarMember } from './calendar-member.entity.ts';
import { keyOfMember } from './validate-calendar.ts';

/** Makes these the members of a calendar, in their order. */
export function setMembers(
  { em, subAccountId, now }: Work,
  calendarId: string,
  stored: readonly CalendarMember[],
  wanted: readonly MemberEntry[],
  idOf: IdOf,
): CalendarMember[] {
  const members = wanted.map((entry, position) => {
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
