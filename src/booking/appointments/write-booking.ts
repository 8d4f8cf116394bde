import { notFound } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { appointmentBooked } from './appointment.events.ts';
import type { Booker } from './customer.ts';
import type { FoundSlot } from '../availability/check-slot.ts';
import { writtenAppointment } from './read-appointment.ts';
import { explainSlot, slotRequest } from '../availability/slot-request.ts';

interface Booking {
  readonly offer: Offer;
  readonly found: FoundSlot;
  readonly booker: Booker;
  readonly notes: string | null;
}

export interface Booked {
  readonly id: string;
  /** The appointment as endpoints show it, once it is written. */
  readonly record: () => Json;
}

/** Writes an appointment in one statement with its event: the slot is taken with it, or refused. */
export async function writeBooking(work: Work, booking: Booking): Promise<Booked> {
  const id = newId(work.now);
  const record = work.writeRecord(BOOK, valuesOf(work, booking, id, null), writtenAppointment);
  await announce(work, booking, id);
  return { id, record };
}

/** One of many: their records are read afterwards, for no statement returns so many columns. */
export async function writeOccurrence(
  work: Work,
  booking: Booking,
  seriesId: string,
): Promise<string> {
  const id = newId(work.now);
  work.write(BOOK_UNSEEN, valuesOf(work, booking, id, seriesId));
  await announce(work, booking, id);
  return id;
}

const CALL = `book_appointment(json_populate_record(null::appointments, $1::json),
  json_populate_record(null::slot_wish, $2::json), $3::boolean)`;
const BOOK = `select ${writtenAppointment.members}
  from ${CALL} as a, (values ($4::json)) as told (contact)`;
const BOOK_UNSEEN = `select a.id, $4::json as told from ${CALL} as a`;

function valuesOf(
  work: Work,
  { offer, found, booker, notes }: Booking,
  id: string,
  seriesId: string | null,
): readonly unknown[] {
  const row = {
    sub_account_id: work.subAccountId,
    id,
    calendar_id: offer.calendar.id,
    appointment_type_id: offer.type.id,
    contact_id: booker.contactId,
    title: offer.type.name,
    start_time: new Date(found.slot.start),
    end_time: new Date(found.slot.end),
    status: 'scheduled',
    assigned_at: work.now,
    notes,
    series_id: seriesId,
    created_at: work.now,
    updated_at: work.now,
  };
  const { wasThere, shown } = booker;
  return [JSON.stringify(row), slotRequest(work, offer, found), wasThere, JSON.stringify(shown)];
}

async function announce(work: Work, { offer, found, booker }: Booking, id: string): Promise<void> {
  explainSlot(work);
  work.mapConstraint('appointments_type_is_bookable', () => notFound('appointment type'));
  work.retryOn('appointments_contact_lives');
  work.audit(id);
  const { contactId, tags } = booker;
  const { start: startTime, end: endTime } = found.slot;
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
