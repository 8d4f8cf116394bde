import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { occurrencesOf } from '../../calendars/slots/recurrence.ts';
import { checkSlot, type FreeSlot } from '../availability/check-slot.ts';
import { bookOccurrence, bookableOffer, type BookingInput } from './book-appointment.ts';
import { findOrCreateCustomer, requestedCustomer } from './find-customer.ts';

/** Four years of weekly appointments. A rule without an end has more. */
const OCCURRENCES_MAX = 208;

/**
 * Books every occurrence of a rule (RFC 5545) at the same local time, all of them or none. Returns
 * their ids, in order. Throws a Fault that names the first occurrence that cannot be booked.
 */
export async function bookSeries(
  work: Work,
  input: BookingInput,
  repeat: string,
): Promise<string[]> {
  const { appointmentTypeId, startTime, endTime, notes = null } = input;
  const offer = await bookableOffer(work, appointmentTypeId);
  const starts = occurrencesOf(repeat, startTime, offer.calendar.timezone);
  if (starts.length > OCCURRENCES_MAX) {
    const message = `a series can have at most ${OCCURRENCES_MAX} appointments; limit it with COUNT or UNTIL`;
    throw new Fault('VALIDATION_ERROR', message);
  }
  const slots: FreeSlot[] = [];
  for (const start of starts) {
    const times = { startTime: start, endTime: start + endTime - startTime };
    slots.push(await namingStart(start, checkSlot(work, offer, times)));
  }
  const customer = await findOrCreateCustomer(work, requestedCustomer(input));
  const seriesId = newId(work.now);
  const ids: string[] = [];
  for (const free of slots) {
    ids.push(await bookOccurrence(work, { offer, free, customer, notes, seriesId }));
  }
  return ids;
}

/** Adds the occurrence's start to a refusal. */
async function namingStart<T>(start: number, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof Fault) {
      const message = `${new Date(start).toISOString()}: ${error.message}; nothing was booked`;
      throw new Fault(error.code, message, { ...error.details, startTime: start });
    }
    throw error;
  }
}
