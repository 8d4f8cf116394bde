import { Client } from 'pg';
import { onTestFinished, vi } from 'vitest';
import { readNoticeSubject } from '../../../src/booking/notices/notice-subject.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import { at, availability, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { WAITING_FOR_ME } from '../../support/locks.ts';

const EMAIL = { email: 'ada@example.org' };

const read = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/calendars/appointments/${id}`)).body.data;

describe('deleting a contact', () => {
  test('cancels upcoming appointments, each with an event, and leaves past and cancelled ones', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const booked = async (days: number, time: string, more: object = EMAIL) =>
      bookedOf(service, bookingOf(typeId, at(service, days, time), more));
    const past = await booked(1, '09:00');
    const cancelled = await booked(5, '09:00');
    const confirmed = await booked(5, '10:00');
    const scheduled = await booked(5, '11:00');
    const others = await booked(5, '12:00', {});
    const path = '/api/v1/calendars/appointments';
    await service.call(`DELETE ${path}/${cancelled.id}`);
    await service.call(`PATCH ${path}/${confirmed.id}`, { body: { status: 'confirmed' } });
    service.clock.advance(3 * 86_400_000);
    await service.events();

    await service.call(`DELETE /api/v1/contacts/${past.contactId}`);
    expect(await service.events()).toEqual(
      [confirmed, scheduled].map(({ id }) => ({
        name: 'appointment.cancelled',
        contactId: past.contactId,
        data: { appointmentId: id, status: 'cancelled' },
      })),
    );
    const statuses = [past, cancelled, confirmed, scheduled, others].map(
      async ({ id }) => (await read(service, id)).status,
    );
    expect(await Promise.all(statuses)).toEqual([
      'scheduled',
      'cancelled',
      'cancelled',
      'cancelled',
      'scheduled',
    ]);
    const date = scheduled.startTime.slice(0, 10);
    const { body } = await availability(service, { appointmentTypeId: typeId, date });
    const starts = new Set(body.data.map(({ start }: any) => start.slice(11, 16)));
    expect([starts.has('11:00'), starts.has('12:00')]).toEqual([true, false]);
  });

  test('asks once, not for each appointment, whether a person waits or a calendar is synced', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const { contactId } = await bookedOf(
      service,
      bookingOf(typeId, at(service, 1, '09:00'), EMAIL),
    );
    for (const time of ['10:00', '11:00', '12:00']) {
      await bookedOf(service, bookingOf(typeId, at(service, 1, time), EMAIL));
    }
    const asked = vi.spyOn(Client.prototype, 'query');
    onTestFinished(() => asked.mockRestore());
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    const texts = asked.mock.calls.map(([query]: any[]) => String(query?.text ?? query));
    const count = (part: string) => texts.filter((text) => text.includes(part)).length;
    expect(count("state = 'waiting' and until_time")).toBe(1);
    expect(count("external_calendar ->> 'type' = 'caldav' limit 1")).toBe(1);
  });

  test('allows a new contact with the same email', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const first = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00'), EMAIL));
    await service.call(`DELETE /api/v1/contacts/${first.contactId}`);
    const second = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00'), EMAIL));
    expect(second.contactId).not.toBe(first.contactId);
  });
});

test('merging a contact moves its appointments and fires no appointment events', async ({
  service,
}) => {
  const { typeId } = await calendarOf(service);
  const kept = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
  const other = await bookedOf(service, bookingOf(typeId, at(service, 1, '10:00')));
  await service.call(`POST /api/v1/contacts/${kept.contactId}/merge`, {
    body: { contactId: other.contactId },
  });
  expect(await read(service, other.id)).toMatchObject({
    contactId: kept.contactId,
    status: 'scheduled',
    contact: { email: kept.contact.email },
  });
  const names = await service.eventNames();
  expect(names.filter((name) => name.startsWith('appointment.'))).toEqual([]);
});

test('a notice that waited for a merge goes to the merged contact', async ({ service }) => {
  const { transact, subAccountId, actor } = service;
  const { typeId } = await calendarOf(service);
  const startTime = at(service, 1, '09:00');
  const { id, contactId } = await bookedOf(service, bookingOf(typeId, startTime));
  const kept = await newContact(service, { email: 'kept@example.org' });
  const rival = new Client({ connectionString: service.databaseUrl });
  await rival.connect();
  await rival.query('begin');
  await rival.query('update contacts set deleted_at = now() where id = $1', [contactId]);
  await rival.query('update appointments set contact_id = $1 where id = $2', [kept, id]);
  const noticed = transact(subAccountId, actor, (work) =>
    readNoticeSubject(work, { appointmentId: id, startTime }),
  );
  await expect.poll(() => isWaited(rival)).toBe(true);
  await rival.query('commit');
  await rival.end();
  expect((await noticed)?.email).toBe('kept@example.org');
});

const isWaited = async (rival: Client): Promise<boolean> =>
  (await rival.query(WAITING_FOR_ME)).rowCount !== 0;

test('a contact that is deleted during a booking is created again or its appointment is cancelled', async ({
  service,
}) => {
  const { typeId } = await calendarOf(service);
  const first = at(service, 1, '00:00');
  for (let round = 0; round < 8; round += 1) {
    const body = { ...bookingOf(typeId, first + 2 * round * 1_800_000), ...EMAIL };
    const { contactId } = await bookedOf(service, body);
    const startTime = first + (2 * round + 1) * 1_800_000;
    const [booked] = await Promise.all([
      service.call('POST /api/v1/calendars/appointments', {
        body: { ...body, startTime, endTime: startTime + 1_800_000 },
      }),
      service.call(`DELETE /api/v1/contacts/${contactId}`),
    ]);
    expect(booked.status).toBe(201);
    const { status, contactId: holder } = await read(service, booked.body.data.id);
    const { status: found } = await service.call(`GET /api/v1/contacts/${holder}`);
    expect([status, found]).toEqual(found === 200 ? ['scheduled', 200] : ['cancelled', 404]);
    if (found === 200) {
      await service.call(`DELETE /api/v1/contacts/${holder}`);
    }
  }
});
