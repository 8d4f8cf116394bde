import { bookSeries } from '../../../src/booking/appointments/book-series.ts';
import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import type { Answer, TestService } from '../../support/service.ts';

export const ADA = {
  firstName: 'Ada',
  lastName: 'van der Berg',
  email: 'Ada.Berg@example.com',
  phone: '+442079460018',
};

export const verified = (
  { call }: Pick<TestService, 'call'>,
  what: '' | '/actionable' | '/cancel' | '/reschedule',
  body: object,
): Promise<Answer> => call(`POST /api/v1/booking/appointments${what}`, { body });

/** Books an appointment for Ada at nine, that many days from now, and discards its events. */
export async function adasAppointment(service: TestService, more: object = {}, days = 2) {
  const setup = await calendarOf(service, more);
  const startTime = at(service, days, '09:00');
  const booked = await bookedOf(service, bookingOf(setup.typeId, startTime, ADA));
  return { ...setup, id: booked.id as string, contactId: booked.contactId as string, startTime };
}

/** Books a series of three weeks and returns the id of its first appointment. */
export async function adasSeries(service: TestService) {
  const setup = await calendarOf(service);
  const startTime = at(service, 2, '09:00');
  const input = bookingOf(setup.typeId, startTime, ADA);
  const ids = await service.transact(service.subAccountId, service.actor, (work) =>
    bookSeries(work, input, 'FREQ=WEEKLY;COUNT=3'),
  );
  await service.events();
  const { body } = await service.call(`GET /api/v1/calendars/appointments/${ids[0]}`);
  return { ...setup, id: ids[0] ?? '', contactId: body.data.contactId as string, startTime };
}

/** Returns the queued mails to admins. */
export const mailsToAdmins = async ({ database, subAccountId }: TestService): Promise<any[]> => {
  const rows = await database.rows<{ payload: any }>(
    `select j.payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'accounts/notify-admins' and j.payload ->> 'subAccountId' = $1`,
    [subAccountId],
  );
  return rows.map(({ payload }) => payload);
};
