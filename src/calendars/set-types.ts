import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { AppointmentType } from './appointment-type.entity.ts';
import type { WholeType } from './complete-calendar.ts';

interface Owner {
  readonly id: string;
  readonly key: string;
}

/** Makes these the types of a calendar, in their order. Those that are there, or were, keep their ids. */
export async function setTypes(
  work: Work,
  calendar: Owner,
  wanted: readonly WholeType[],
): Promise<AppointmentType[]> {
  const { em, subAccountId, now } = work;
  const keys = wanted.map(({ key }) => key);
  const known = await em.find(AppointmentType, { subAccountId, key: { $in: keys } });
  return wanted.map(({ active: isActive, ...one }, position) => {
    const stored = known.find(({ key }) => key === one.key);
    const fields = { ...one, isActive, position, calendarId: calendar.id, updatedAt: now };
    if (stored) {
      refuseTaking(stored, calendar);
      return em.assign(stored, { ...fields, deletedAt: null });
    }
    const times = { createdAt: now, deletedAt: null };
    const fresh = em.create(AppointmentType, { ...fields, ...times, subAccountId, id: newId(now) });
    em.persist(fresh);
    return fresh;
  });
}

/** What is booked stays with its calendar, so that a type cannot go from one to another. */
function refuseTaking({ key, calendarId, deletedAt }: AppointmentType, calendar: Owner): void {
  if (calendarId !== calendar.id && !deletedAt) {
    throw new Fault(
      'VALIDATION_ERROR',
      `calendar ${calendar.key} cannot have the type ${key}: another calendar has it, and keys of types are unique`,
    );
  }
}
