import type { Work } from '#core/work.ts';
import { sleep } from '#lib/abort.ts';
import { DAY_MS } from '#lib/duration.ts';
import { bookAppointment } from '../../booking/appointments/book-appointment.ts';
import type { AppointmentStatus } from '../../booking/appointments/appointment.schema.ts';
import { setAppointmentStatus } from '../../booking/appointments/change-appointment.ts';
import { dateAfter } from '../../booking/availability/availability.schema.ts';
import { findSlots } from '../../booking/availability/find-availability.ts';
import { resolveOffer } from '../../calendars/offers.ts';
import { at, dayOf, type Contact, type DemoContext, type Run } from './demo-context.ts';

const DAYS_BEFORE = 7;
const DAYS_AFTER = 7;
const BOOKED_BEFORE_MS = 14 * DAY_MS;
const CANCELLED = 5;
const NO_SHOW = 3;

/**
 * Books appointments of the last seven days, of today and of the next seven days. Those of earlier days
 * are completed, except one no-show and the latest, which is still to be marked. Of the others, most are
 * confirmed and one is cancelled.
 */
export async function addAppointments(
  run: Run,
  context: DemoContext,
  contacts: readonly Contact[],
): Promise<void> {
  await addEarlier(run, context, contacts);
  let booked = 0;
  for (let day = 1; day <= DAYS_AFTER; day += 1) {
    for (const slot of await slotsOf(context, day, context.now)) {
      const customer = at(contacts, (booked * 7) % contacts.length);
      const id = await run((work) => book(work, slot, customer));
      await mark(run, id, booked === CANCELLED ? 'cancelled' : confirmedUnlessThird(booked));
      booked += 1;
    }
  }
}

/** Most appointments are confirmed, every third one is only scheduled. */
const confirmedUnlessThird = (index: number): AppointmentStatus =>
  index % 3 === 0 ? 'scheduled' : 'confirmed';

/** Books as two weeks ago: a start in the past cannot be booked. */
async function addEarlier(
  run: Run,
  context: DemoContext,
  contacts: readonly Contact[],
): Promise<void> {
  const then = new Date(context.now.getTime() - BOOKED_BEFORE_MS);
  const patients = contacts.filter((_, index) => index % 2 === 0);
  const earlier: string[] = [];
  const today: string[] = [];
  for (let day = -DAYS_BEFORE; day <= 0; day += 1) {
    for (const slot of await slotsOf(context, day, then)) {
      const customer = at(patients, (earlier.length + today.length) * 3);
      const id = await run((work) => book(workAt(work, then), slot, customer));
      (day < 0 ? earlier : today).push(id);
    }
  }
  const unmarked = earlier.pop();
  for (const [index, id] of earlier.entries()) {
    await mark(run, id, index === NO_SHOW ? 'no_show' : 'completed');
  }
  for (const [index, id] of [...today, ...(unmarked ? [unmarked] : [])].entries()) {
    await mark(run, id, confirmedUnlessThird(index + 1));
  }
}

/** Events and notices keep the time of `work`: reminders that were due earlier are not sent. */
const workAt = (work: Work, now: Date): Work => Object.create(work, { now: { value: now } });

const mark = (run: Run, id: string, status: AppointmentStatus): Promise<void> =>
  status === 'scheduled'
    ? Promise.resolve()
    : run((work) => setAppointmentStatus(work, id, status));

interface DemoSlot {
  readonly appointmentTypeId: string;
  readonly startTime: number;
  readonly endTime: number;
}

const SLOT_STEP = 3;
const PER_DAY_MAX = 4;

/** Returns every third slot of a day, at most four, as they were free at a time. */
async function slotsOf(
  { viewAt, now }: DemoContext,
  day: number,
  asOf: Date,
): Promise<readonly DemoSlot[]> {
  const view = viewAt(asOf);
  const date = dateAfter(dayOf(now), day);
  const appointmentType = day % 2 === 0 ? 'cleaning' : 'check-up';
  const offer = await resolveOffer(view, { appointmentType });
  if (!offer) {
    return [];
  }
  const slots = await findSlots(view, offer, { from: date, to: date });
  return slots
    .filter((_, index) => index % SLOT_STEP === 0)
    .slice(0, PER_DAY_MAX)
    .map(({ startTime, endTime }) => ({ appointmentTypeId: offer.type.id, startTime, endTime }));
}

async function book(work: Work, slot: DemoSlot, customer: Contact): Promise<string> {
  const { firstName, lastName, email } = customer;
  const { id } = await bookAppointment(work, { ...slot, firstName, lastName, email });
  return id;
}

const CONFIRMED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** Waits until the worker has confirmed the upcoming appointments, for 20 seconds at most. */
export async function confirmationsWritten({
  viewAt,
  subAccountId,
  now,
}: DemoContext): Promise<void> {
  for (let waited = 0; waited < CONFIRMED_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const unconfirmed = await viewAt(now).rows(UNCONFIRMED, [subAccountId]);
    if (unconfirmed.length === 0) {
      return;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

const UNCONFIRMED = `select from appointments a
  where a.sub_account_id = $1 and a.status in ('scheduled', 'confirmed') and a.start_time > now()
    and not exists (
      select from appointment_notices n
      where n.sub_account_id = $1 and n.appointment_id = a.id
    ) limit 1`;
