import { notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { findOffer, type Offer } from '../../calendars/find-offer.ts';
import type { AppointmentCreate } from './appointment.schema.ts';
import { bookerOf } from './customer.ts';
import type { FoundSlot } from '../availability/check-slot.ts';
import { writeBooking, type Booked } from './write-booking.ts';

/**
 * Books a slot for whoever has the email: finds the type, looks whether the slot is free, finds or
 * makes the contact, and writes it all in one statement. A refusal costs a read and writes nothing.
 */
export async function bookAppointment(work: Work, input: AppointmentCreate): Promise<Booked> {
  const { appointmentTypeId, notes = null } = input;
  const offer = await bookableOffer(work, appointmentTypeId);
  const found = await firstToFind(work, offer, input);
  const booker = await bookerOf(work, input);
  return writeBooking(work, { offer, found, booker, notes });
}

/** The active type of that id; NOT_FOUND where there is none. */
export async function bookableOffer(work: Work, typeId: string): Promise<Offer> {
  const offer = await findOffer(work, typeId);
  if (!offer?.type.isActive) {
    throw notFound('appointment type');
  }
  return offer;
}

/** Loaded with the first booking, for it brings the time zones along; to import it again costs 10 µs. */
let looking: Promise<typeof import('../availability/check-slot.ts')> | undefined;

/** Of many who find the same slot free at once, one tries to write; the others look again after it. */
async function firstToFind(
  work: Work,
  offer: Offer,
  { startTime, endTime }: AppointmentCreate,
): Promise<FoundSlot> {
  const { checkSlot: lookUpSlot } = await (looking ??= import('../availability/check-slot.ts'));
  for (;;) {
    const found = await lookUpSlot(work, offer, { startTime, endTime });
    const busy = work.claim(`slot ${offer.type.id} ${startTime}`);
    if (!busy) {
      return found;
    }
    await busy;
  }
}
