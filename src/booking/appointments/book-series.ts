import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { AppointmentCreate } from './appointment.schema.ts';
import { bookableOffer } from './book-appointment.ts';
import { bookerOf } from './customer.ts';
import type { FoundSlot } from '../availability/check-slot.ts';
import { writeOccurrence } from './write-booking.ts';

/** Four years of weeks. A rule without an end has more. */
const OCCURRENCES_MAX = 208;

/**
 * Books every occurrence of a rule (RFC 5545) at the same local time, all of them or none. Answers
 * their ids, in order.
 */
export async function bookSeries(
  work: Work,
  input: AppointmentCreate,
  repeat: string,
): Promise<string[]> {
  const { appointmentTypeId, startTime, endTime, notes = null } = input;
  const offer = await bookableOffer(work, appointmentTypeId);
  const { occurrencesOf } = await import('../../calendars/slots/occurrences-of.ts');
  const starts = occurrencesOf(repeat, startTime, offer.calendar.timezone);
  if (starts.length > OCCURRENCES_MAX) {
    const message = `a series has at most ${OCCURRENCES_MAX} appointments; end it with COUNT or UNTIL`;
    throw new Fault('VALIDATION_ERROR', message);
  }
  const { checkSlot: lookUpSlot } = await import('../availability/check-slot.ts');
  const found: FoundSlot[] = [];
  for (const start of starts) {
    const times = { startTime: start, endTime: start + endTime - startTime };
    found.push(await saying(start, lookUpSlot(work, offer, times)));
  }
  const booker = await bookerOf(work, input);
  const seriesId = newId(work.now);
  const ids: string[] = [];
  for (const one of found) {
    ids.push(await writeOccurrence(work, { offer, found: one, booker, notes }, seriesId));
  }
  return ids;
}

/** Of many, which one it is that cannot be. */
async function saying<T>(start: number, looking: Promise<T>): Promise<T> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Fault) {
      const message = `${new Date(start).toISOString()}: ${error.message}; nothing was booked`;
      throw new Fault(error.code, message, { ...error.details, startTime: start });
    }
    throw error;
  }
}
