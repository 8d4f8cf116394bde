import {
  at,
  availability,
  bookedOf,
  bookingOf,
  calendarOf,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { apply } from '../../support/manifest.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import { ADA, adasAppointment, adasSeries, mailsToAdmins, verified } from './verified.support.ts';

const HOUR_MS = 3_600_000;
const HALF_MS = HOUR_MS / 2;
const DAY_MINUTES = 24 * 60;

const cancel = (service: TestService, body: object) =>
  verified(service, '/cancel', { confirm: true, ...body });

const move = (service: TestService, body: object, newStartTime: number) =>
  verified(service, '/reschedule', { ...body, newStartTime, newEndTime: newStartTime + HALF_MS });

const read = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/calendars/appointments/${id}`)).body.data;

describe('cancel', () => {
  test('frees the slot and fires only appointment.cancelled; repeating it returns alreadyCancelled and fires nothing', async ({
    service,
  }) => {
    const { id, contactId, startTime, typeId } = await adasAppointment(service);
    const given = { email: ADA.email, lastName: ADA.lastName, appointmentId: id };
    const first = await cancel(service, { ...given, reason: 'ill' });
    expect([first.status, first.body]).toEqual([
      200,
      { data: { id, cancelled: true, alreadyCancelled: false } },
    ]);
    expect(await service.events()).toEqual([
      {
        name: 'appointment.cancelled',
        contactId,
        data: { appointmentId: id, status: 'cancelled' },
      },
    ]);
    expect(await read(service, id)).toMatchObject({ status: 'cancelled', cancelReason: 'ill' });
    const again = await cancel(service, given);
    expect([again.status, again.body.data.alreadyCancelled]).toEqual([200, true]);
    expect(await service.events()).toEqual([]);
    const query = { appointmentTypeId: typeId, date: dayFromNow(service, 2) };
    const { body } = await availability(service, query);
    expect(body.data.some((slot: any) => slot.startTime === startTime)).toBe(true);
  });

  test('during a merge of the contact still succeeds, twenty times', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    for (let round = 0; round < 20; round += 1) {
      const startTime = at(service, 2, '00:00') + round * HALF_MS;
      const who = { email: `ada-${round}@example.com`, phone: `+44207946${1000 + round}` };
      const { id, contactId } = await bookedOf(service, {
        ...bookingOf(typeId, startTime),
        ...who,
      });
      const kept = await newContact(service);
      const [merged, ...cancelled] = await Promise.all([
        service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } }),
        ...[1, 2, 3].map(() => cancel(service, { ...who, appointmentId: id })),
      ]);
      expect([merged, ...cancelled].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  test.for([[{}], [{ confirm: false }], [{ confirm: 'true' }], [{ confirm: null }]] as const)(
    'without confirm: true (%j) is 400',
    async ([confirm], { service }) => {
      const { id, contactId } = await adasAppointment(service);
      const { status, body } = await verified(service, '/cancel', {
        contactId,
        appointmentId: id,
        ...confirm,
      });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/confirm']);
      expect((await read(service, id)).status).toBe('scheduled');
    },
  );

  test('of a series is refused, and the admins get one mail', async ({ service }) => {
    const { id, contactId } = await adasSeries(service);
    for (let time = 0; time < 2; time += 1) {
      const answer = await cancel(service, { contactId, appointmentId: id });
      expect(reasonOf(answer)).toBe('series');
    }
    expect(await service.events()).toEqual([]);
    expect((await read(service, id)).status).toBe('scheduled');
    const mails = await mailsToAdmins(service);
    expect(mails).toHaveLength(1);
    expect(mails[0].subject).toMatch(/cancel/);
    expect(mails[0].text).toContain('Ada van der Berg');
    expect(mails[0].text).toContain(id);
  });

  test('keeps its refusal for an Idempotency-Key', async ({ service }) => {
    const { id, contactId } = await adasSeries(service);
    const options = {
      body: { contactId, appointmentId: id, confirm: true },
      headers: { 'idempotency-key': 'series-1' },
    };
    const line = 'POST /api/v1/booking/appointments/cancel';
    const first = await service.call(line, options);
    const again = await service.call(line, options);
    expect([again.status, again.body]).toEqual([400, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await mailsToAdmins(service)).toHaveLength(1);
  });

  test('is refused within the notice, and after the start', async ({ service }) => {
    const { id, contactId } = await adasAppointment(service, { cancelNotice: DAY_MINUTES }, 3);
    const given = { contactId, appointmentId: id };
    const before = service.clock().getTime();
    const { startTime } = await readTimes(service, id);
    service.clock.advance(startTime - before - 24 * HOUR_MS + 1);
    expect(reasonOf(await cancel(service, given))).toBe('too_late');
    service.clock.advance(24 * HOUR_MS);
    expect(reasonOf(await cancel(service, given))).toBe('started');
    expect(await service.events()).toEqual([]);
  });
});

const readTimes = async (service: TestService, id: string) => {
  const { startTime, endTime } = await read(service, id);
  return { startTime: Date.parse(startTime), endTime: Date.parse(endTime) };
};

describe('reschedule', () => {
  test('moves to a free slot and fires only appointment.rescheduled', async ({ service }) => {
    const { id, contactId, startTime } = await adasAppointment(service);
    const to = startTime + HOUR_MS;
    const given = { phone: ADA.phone, lastName: ADA.lastName, appointmentId: id };
    const { status, body } = await move(service, given, to);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id, appointmentId: id, startTime: to, status: 'scheduled' }),
    ]);
    expect(await service.events()).toEqual([
      {
        name: 'appointment.rescheduled',
        contactId,
        data: {
          appointmentId: id,
          startTime: to,
          endTime: to + HALF_MS,
          status: 'scheduled',
        },
      },
    ]);
  });

  test('checks the slot again', async ({ service }) => {
    const { id, contactId, startTime, typeId } = await adasAppointment(service);
    const taken = startTime + HOUR_MS;
    await bookedOf(service, bookingOf(typeId, taken));
    const given = { contactId, appointmentId: id };
    expect(reasonOf(await move(service, given, taken))).toBe('slot_unavailable');
    expect(reasonOf(await move(service, given, at(service, -2, '09:00')))).toBe('slot_in_past');
    const long = { ...given, newStartTime: taken, newEndTime: taken + 2 * HOUR_MS };
    expect(reasonOf(await verified(service, '/reschedule', long))).toBe('invalid_duration');
    expect((await readTimes(service, id)).startTime).toBe(startTime);
    expect(await service.events()).toEqual([]);
  });

  test('is refused if the calendar does not let customers move', async ({ service }) => {
    const { id, contactId, startTime } = await adasAppointment(service, {
      allowCustomerReschedule: false,
    });
    const given = { contactId, appointmentId: id };
    expect(reasonOf(await move(service, given, startTime + HOUR_MS))).toBe(
      'reschedule_not_allowed',
    );
    const { body } = await verified(service, '', { contactId });
    expect(body.data[0]).toMatchObject({ canCancel: true, canReschedule: false });
  });

  test('of a series is refused, and the admins get a mail', async ({ service }) => {
    const { id, contactId, startTime } = await adasSeries(service);
    const answer = await move(service, { contactId, appointmentId: id }, startTime + HOUR_MS);
    expect(reasonOf(answer)).toBe('series');
    expect((await mailsToAdmins(service))[0].subject).toMatch(/move/);
    expect(await service.events()).toEqual([]);
  });

  test.for([
    ['de-DE', 'Verschiebung gewünscht', 'Ada van der Berg möchte'],
    ['es-ES', 'Cambio de hora solicitado', 'Ada van der Berg quiere'],
    ['fr-FR', 'Report demandé', 'Ada van der Berg souhaite'],
  ] as const)(
    'of a series mails the admins in the language of the sub-account: %s',
    async ([locale, subject, text], { service }) => {
      const { id, contactId, startTime } = await adasSeries(service);
      await apply(service, { subAccount: { locale } });
      await move(service, { contactId, appointmentId: id }, startTime + HOUR_MS);
      expect((await mailsToAdmins(service))[0]).toMatchObject({
        subject: expect.stringContaining(subject),
        text: expect.stringContaining(text),
      });
    },
  );

  test('of a cancelled appointment is the 404 of an unknown one', async ({ service }) => {
    const { id, contactId, startTime } = await adasAppointment(service);
    await cancel(service, { contactId, appointmentId: id });
    await service.events();
    const to = startTime + HOUR_MS;
    const cancelled = await move(service, { contactId, appointmentId: id }, to);
    const unknown = await move(service, { contactId, appointmentId: crypto.randomUUID() }, to);
    expect([cancelled.status, cancelled.body]).toEqual([404, unknown.body]);
    expect(await service.events()).toEqual([]);
  });

  test('is refused within the notice, and after the start', async ({ service }) => {
    const notice = { rescheduleNotice: DAY_MINUTES };
    const { id, contactId, startTime } = await adasAppointment(service, notice, 3);
    const given = { contactId, appointmentId: id };
    const to = startTime + HOUR_MS;
    service.clock.advance(startTime - service.clock().getTime() - HOUR_MS);
    expect(reasonOf(await move(service, given, to))).toBe('too_late');
    service.clock.advance(HOUR_MS);
    expect(reasonOf(await move(service, given, to))).toBe('started');
  });
});

test('each scope allows its two calls and no others', async ({ service }) => {
  const { id, contactId } = await adasAppointment(service);
  const as = (key: string, what: string, more: object = {}) =>
    service.call(`POST /api/v1/booking/appointments${what}`, { key, body: { contactId, ...more } });
  const change = { appointmentId: id, confirm: true };
  expect((await as('reader', '')).status).toBe(200);
  expect((await as('reader', '/actionable')).status).toBe(200);
  const refused = await as('reader', '/cancel', change);
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    expect.stringContaining('booking-appointments:write'),
  ]);
});
