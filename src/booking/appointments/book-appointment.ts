import { notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { findOffer, offerWith, type Offer } from '../../calendars/offers.ts';
import { checkSlot, mapSlotConstraints, type FreeSlot } from '../availability/check-slot.ts';
import { appointmentBooked } from './appointment.events.ts';
import type { AppointmentCreate, SlotTimes } from './appointment.schema.ts';
import {
  findOrCreateCustomer,
  requestedCustomer,
  type Customer,
  type CustomerInput,
} from './find-customer.ts';
import { assertNotBooked, refuserFor, refuseTaken, type Visit } from './refuse-duplicate.ts';
import { writtenAppointment } from './read-appointments.ts';
import { limitBookings } from './visitor-limits.ts';

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

/** What is booked, and its customer. */
export interface BookingInput extends SlotTimes, CustomerInput {
  readonly appointmentTypeId: string;
  /** The team member who is to take it; without one, the calendar's kind decides. */
  readonly assignedTo?: string | null | undefined;
  readonly notes?: string | null;
}

/**
 * Books a slot for a contact that is named, or found by email or phone, or created. The appointment, its
 * blocks and its event are written in one statement; a refusal costs one read and writes nothing.
 * `except` is the offer of the waiting list that holds the slot for this customer.
 */
export async function bookAppointment(
  work: Work,
  input: BookingInput,
  except?: string,
): Promise<Booked> {
  const customerInput = requestedCustomer(input);
  const { appointmentTypeId, assignedTo } = input;
  const offer = offerWith(await bookableOffer(work, appointmentTypeId), assignedTo ?? undefined);
  const free = await claimSlot(work, offer, input, except);
  const customer = await findOrCreateCustomer(work, customerInput);
  return write(work, { offer, free, customer, notes: input.notes ?? null });
}

/**
 * Books like `bookAppointment` for a visitor: a contact that has an appointment of the type at that start
 * is refused, except in classes, where one person may take several seats.
 */
export async function bookForVisitor(work: Work, input: AppointmentCreate): Promise<Booked> {
  const offer = await bookableOffer(work, input.appointmentTypeId);
  const { email, startTime } = input;
  const visit = { offer, startTime, email };
  const free = await refuseTaken(work, visit, () => claimSlot(work, offer, input));
  const customer = await findOrCreateCustomer(work, input);
  await assertNotBooked(work, visit, customer);
  if (customer.existed) {
    await limitBookings(work, customer.contactId);
  }
  return write(work, { offer, free, customer, notes: input.notes ?? null }, visit);
}

/** Writes one appointment. The record is returned by the statement that writes it. */
async function write(work: Work, booking: Booking, visit?: Visit): Promise<Booked> {
  const id = newId(work.now);
  const record = work.writeRecord(BOOK, valuesOf(work, booking, id), writtenAppointment);
  await emitBooked(work, booking, { id, visit });
  return { id, record };
}

/** Writes one appointment of a series. Records are read afterwards: one statement cannot return them all. */
export async function bookOccurrence(work: Work, booking: Booking): Promise<string> {
  const id = newId(work.now);
  work.write(BOOK_OCCURRENCE, valuesOf(work, booking, id));
  await emitBooked(work, booking, { id });
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
  { startTime, endTime }: SlotTimes,
  except?: string,
): Promise<FreeSlot> {
  const requested = { startTime, endTime, ...(except !== undefined && { except }) };
  for (;;) {
    const free = await checkSlot(work, offer, requested);
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

interface Emitted {
  readonly id: string;
  readonly visit?: Visit | undefined;
}

async function emitBooked(work: Work, { offer, free, customer }: Booking, { id, visit }: Emitted) {
  const refused = { offer, startTime: free.slot.start };
  mapSlotConstraints(work, refused, visit && refuserFor(visit));
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
