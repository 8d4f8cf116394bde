import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import { refuseStart, type RefusedStart } from '../availability/booking-refusal.ts';
import type { FreeSlot } from '../availability/check-slot.ts';
import type { Customer } from './find-customer.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';

/** A visitor's booking: the start and the email. */
export interface Visit extends RefusedStart {
  readonly email: string;
}

/** The reasons that may mean that the visitor's own appointment is in the way. */
const TAKEN: ReadonlySet<unknown> = new Set(['slot_unavailable', 'day_full']);

/** Returns the claimed slot. If it is taken by the visitor's own appointment, the refusal says so. */
export async function refuseTaken(
  work: Work,
  visit: Visit,
  claim: () => Promise<FreeSlot>,
): Promise<FreeSlot> {
  try {
    return await claim();
  } catch (error) {
    const { subAccountId, readOutside: rows } = work;
    throw error instanceof Fault ? await ownRefusal({ subAccountId, rows }, visit, error) : error;
  }
}

/** Returns what refuses a booking that another one preceded while it was written. */
export const refuserFor =
  (visit: Visit): typeof refuseStart =>
  async (view, reason, refused) =>
    ownRefusal(view, visit, await refuseStart(view, reason, refused));

/**
 * Throws VALIDATION_ERROR if the contact has a live appointment of the type at that start. Simultaneous
 * bookings of one contact wait for each other; those of a new contact fail on its email and run again.
 */
export async function assertNotBooked(
  work: Work,
  visit: Visit,
  { contactId, existed }: Customer,
): Promise<void> {
  if (!existed || isClass(visit)) {
    return;
  }
  await lockTexts(work, `booking ${work.subAccountId} ${contactId}`);
  if (await hasAppointment(work, visit)) {
    const refused = { ...visit, current: visit.startTime };
    throw alreadyBooked(await refuseStart(work, 'slot_unavailable', refused));
  }
}

type Reader = Pick<View, 'subAccountId' | 'rows'>;

/** Returns the fault, or another that says that the visitor has this appointment. */
async function ownRefusal(reader: Reader, visit: Visit, fault: Fault): Promise<Fault> {
  const { reason }: { reason?: unknown } = fault.details ?? {};
  const isTaken = TAKEN.has(reason) && !isClass(visit);
  return isTaken && (await hasAppointment(reader, visit)) ? alreadyBooked(fault) : fault;
}

const isClass = ({ offer }: Visit): boolean => offer.calendar.kind === 'class';

/** Says nothing about the other appointment: anyone may have typed the email. */
const alreadyBooked = ({ details }: Fault): Fault =>
  new Fault('VALIDATION_ERROR', 'this customer already has an appointment at that time', {
    ...details,
    reason: 'slot_unavailable',
    alreadyBooked: true,
  });

async function hasAppointment(
  { subAccountId, rows }: Reader,
  { offer, startTime, email }: Visit,
): Promise<boolean> {
  const values = [subAccountId, normalised(email), offer.type.id, new Date(startTime)];
  return (await rows(BOOKED, values)).length > 0;
}

const BOOKED = `select a.id from contact_emails e
  join appointments a on a.sub_account_id = e.sub_account_id and a.contact_id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and a.appointment_type_id = $3
    and a.start_time = $4 and a.status in ('scheduled', 'confirmed')
  limit 1`;
