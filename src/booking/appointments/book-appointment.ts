import { newContact } from '../../contacts/create-contact.ts';
import { notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';
import { findContactByEmail } from '../../contacts/find-by-email.ts';
import { insertContacts } from '../../contacts/write-contacts-in-bulk.ts';
import { checkSlot, mapSlotConstraints, type FreeSlot } from '../availability/check-slot.ts';
import { appointmentBooked } from './appointment.events.ts';
import type { AppointmentCreate, CustomerInput } from './appointment.schema.ts';
import { writtenAppointment } from './read-appointments.ts';

/** Everything that is written about one appointment. */
interface Booking {
  readonly offer: Offer;
  readonly free: FreeSlot;
  readonly customer: Customer;
  readonly notes: string | null;
  readonly seriesId?: string;
}

export interface Booked {
  readonly id: string;
  /** Returns the appointment as endpoints show it, once it is written. */
  readonly record: () => Json;
}

/**
 * Books a slot for the contact with this email, or for a new contact. The appointment, its blocks and
 * its event are written in one statement; a refusal costs one read and writes nothing.
 */
export async function bookAppointment(work: Work, input: AppointmentCreate): Promise<Booked> {
  const { appointmentTypeId, notes = null } = input;
  const offer = await bookableOffer(work, appointmentTypeId);
  const free = await claimSlot(work, offer, input);
  const customer = await findOrCreateCustomer(work, input);
  const booking = { offer, free, customer, notes };
  const id = newId(work.now);
  const record = work.writeRecord(BOOK, valuesOf(work, booking, id), writtenAppointment);
  await emitBooked(work, booking, id);
  return { id, record };
}

/** Writes one appointment of a series. Records are read afterwards: one statement cannot return them all. */
export async function bookOccurrence(work: Work, booking: Booking): Promise<string> {
  const id = newId(work.now);
  work.write(BOOK_OCCURRENCE, valuesOf(work, booking, id));
  await emitBooked(work, booking, id);
  return id;
}

/** Returns the active type with this id. Throws NOT_FOUND if there is none. */
export async function bookableOffer(work: Work, typeId: string): Promise<Offer> {
  const offer = await findOffer(work, typeId);
  if (!offer?.type.isActive) {
    throw notFound('appointment type');
  }
  return offer;
}

/** Of concurrent bookings of one free slot, one writes; the others wait for it and check again. */
async function claimSlot(
  work: Work,
  offer: Offer,
  { startTime, endTime }: AppointmentCreate,
): Promise<FreeSlot> {
  for (;;) {
    const free = await checkSlot(work, offer, { startTime, endTime });
    const other = work.claim(`slot ${offer.type.id} ${startTime}`);
    if (!other) {
      return free;
    }
    await other;
  }
}

/** One statement per booking (bench scenario `book-hot-slot`). */
// The function chooses the member, in round robin by `in_turn`; both are in migrations/.
const CALL = `book_appointment(json_populate_record(null::appointments, $1::json),
  json_populate_record(null::slot_wish, $2::json), $3::boolean)`;
const BOOK = `select ${writtenAppointment.members}
  from ${CALL} as a, (values ($4::json)) as customer (contact)`;
const BOOK_OCCURRENCE = `select a.id, $4::json as customer from ${CALL} as a`;

function valuesOf(
  work: Work,
  { offer, free, customer, notes, seriesId }: Booking,
  id: string,
): readonly unknown[] {
  const row = {
    sub_account_id: work.subAccountId,
    id,
    calendar_id: offer.calendar.id,
    appointment_type_id: offer.type.id,
    contact_id: customer.contactId,
    title: offer.type.name,
    start_time: new Date(free.slot.start),
    end_time: new Date(free.slot.end),
    status: 'scheduled',
    assigned_at: work.now,
    notes,
    series_id: seriesId ?? null,
    created_at: work.now,
    updated_at: work.now,
  };
  return [JSON.stringify(row), free.request, customer.existed, JSON.stringify(customer.shown)];
}

async function emitBooked(work: Work, { offer, free, customer }: Booking, id: string) {
  mapSlotConstraints(work);
  work.mapConstraint('appointments_type_is_bookable', () => notFound('appointment type'));
  work.retryOn('appointments_contact_lives');
  work.audit(id);
  const { contactId, tags } = customer;
  const { start: startTime, end: endTime } = free.slot;
  await work.emit(appointmentBooked, {
    contactId,
    tags,
    data: {
      appointmentId: id,
      calendarId: offer.calendar.id,
      appointmentTypeId: offer.type.id,
      appointmentTitle: offer.type.name,
      startTime,
      endTime,
      status: 'scheduled',
    },
  });
}

/** The contact as an appointment shows it. */
interface ShownContact {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The contact that an appointment is booked for. */
interface Customer {
  readonly contactId: string;
  readonly tags: readonly string[];
  readonly shown: ShownContact;
  /** True if the contact existed before: it may be deleted or merged until the booking is written. */
  readonly existed: boolean;
}

/**
 * Returns the contact with this email, unchanged: anyone who knows an email may book with it, and
 * must not be able to edit the contact. Without one it creates a contact; required custom fields are
 * not checked, because the customer was not asked for them.
 */
export async function findOrCreateCustomer(
  work: Work,
  { firstName, lastName, email, phone = null }: CustomerInput,
): Promise<Customer> {
  const reader = { subAccountId: work.subAccountId, rows: work.readOutside };
  const known = await findContactByEmail(reader, email);
  if (known) {
    const { id: contactId, tags, company: _, ...shown } = known;
    return { contactId, tags, shown, existed: true };
  }
  const input = { firstName, lastName, email, phone, source: 'booking' };
  const contact = newContact(work, [], newId(work.now), input);
  await insertContacts(work, [contact]);
  work.retryOn('contact_emails_pkey');
  const shown = { firstName, lastName, email, phone };
  return { contactId: contact.id, tags: contact.tags, shown, existed: false };
}
