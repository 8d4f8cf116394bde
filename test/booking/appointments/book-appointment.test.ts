import {
  always,
  at,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';

describe('POST /api/v1/calendars/appointments', () => {
  test('books the slot, creates the contact, and fires contact.created and appointment.booked', async ({
    service,
  }) => {
    const { typeId, calendarId, team } = await calendarOf(service);
    const startTime = at(service, 1, '09:00');
    const body = bookingOf(typeId, startTime, { phone: '+4930123456', notes: 'left ear' });
    const reply = await book(service, body);

    expect(reply.status).toBe(201);
    const { data } = reply.body;
    expect(data).toEqual({
      id: expect.any(String),
      calendarId,
      appointmentTypeId: typeId,
      contactId: expect.any(String),
      title: 'Check-up',
      startTime: new Date(startTime).toISOString(),
      endTime: new Date(startTime + 1_800_000).toISOString(),
      status: 'scheduled',
      assignedTo: team['anna'],
      notes: 'left ear',
      createdAt: expect.any(String),
      updatedAt: data.createdAt,
      cancelReason: null,
      partOfSeries: false,
      contact: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: body.email,
        phone: '+4930123456',
      },
    });
    expect((await service.call(`GET /api/v1/calendars/appointments/${data.id}`)).body).toEqual(
      reply.body,
    );
    expect(await service.events()).toEqual([
      { name: 'contact.created', contactId: data.contactId, data: expect.anything() },
      {
        name: 'appointment.booked',
        contactId: data.contactId,
        data: {
          appointmentId: data.id,
          calendarId,
          appointmentTypeId: typeId,
          appointmentTitle: 'Check-up',
          startTime,
          endTime: startTime + 1_800_000,
          status: 'scheduled',
        },
      },
    ]);
  });

  test('refuses the same slot a second time and writes nothing', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const startTime = at(service, 1, '09:00');
    await book(service, bookingOf(typeId, startTime));
    await service.events();
    expect(reasonOf(await book(service, bookingOf(typeId, startTime)))).toBe('slot_unavailable');
    expect(await service.events()).toEqual([]);
  });
});

describe('a refusal', () => {
  const open = { hours: always('09:00-12:00') };

  test.for([
    ['invalid_duration', {}, '09:00', { endTime: 1 }],
    ['slot_in_past', {}, '09:00', { days: -1 }],
    ['too_soon', { minimumNotice: 4_320 }, '09:00', {}],
    ['too_far_ahead', { maximumAdvance: 2 }, '09:00', { days: 4 }],
    ['date_unavailable', { override: [] }, '09:00', {}],
    ['day_unavailable', { hours: {} }, '09:00', {}],
    ['outside_hours', {}, '11:45', {}],
    ['slot_unavailable', {}, '09:05', {}],
    ['invalid_duration', { minimumNotice: 4_320 }, '09:00', { endTime: 1 }],
    ['date_unavailable', { override: [], hours: {} }, '03:00', {}],
    ['day_unavailable', { hours: {} }, '03:07', {}],
  ] as const)('says %s', async ([reason, changes, time, more], { service }) => {
    const { override, ...change } = changes as { override?: readonly string[] };
    const { days = 1, endTime } = more as { days?: number; endTime?: number };
    const overrides = override ? [{ date: dayFromNow(service, days), hours: override }] : [];
    const { typeId } = await calendarOf(service, { ...open, overrides, ...change });
    const body = bookingOf(typeId, at(service, days, time), endTime ? { endTime } : {});
    const reply = await book(service, body);
    expect([reply.status, reply.body.error]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', details: { reason } },
    ]);
    expect(await service.events()).toEqual([]);
  });

  test('of a wrong duration names the right one', async ({ service }) => {
    const { typeId } = await calendarOf(service, open);
    const { body } = await book(
      service,
      bookingOf(typeId, at(service, 1, '09:00'), { endTime: 1 }),
    );
    expect(body.error.message).toContain('startTime plus 30 minutes, the duration');
  });

  test('returns day_full before slot_unavailable, and does not count cancelled appointments', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, { ...open, maxPerDay: 1 });
    const first = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    for (const time of ['09:00', '10:00', '10:07']) {
      expect(reasonOf(await book(service, bookingOf(typeId, at(service, 1, time))))).toBe(
        'day_full',
      );
    }
    await service.call(`DELETE /api/v1/calendars/appointments/${first.id}`);
    expect((await book(service, bookingOf(typeId, at(service, 1, '10:00')))).status).toBe(201);
  });

  test('returns 404 for a type that is unknown, foreign or inactive', async ({ service }) => {
    const foreign = await calendarOf(service, {}, 'other');
    const { typeId } = await calendarOf(service, {
      types: [{ key: 'off', name: 'Off', duration: 30, active: false }],
    });
    for (const id of [foreign.typeId, typeId, crypto.randomUUID()]) {
      const reply = await book(service, bookingOf(id, at(service, 1, '09:00')));
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('the contact of a booking', () => {
  test('is found by any of its emails, ignoring case, and is not changed', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const ada = { firstName: 'Ada', lastName: 'King', email: 'ada@x.com', tags: ['vip'] };
    const { body } = await service.call('POST /api/v1/contacts', {
      body: { ...ada, additionalEmails: ['second@x.com'] },
    });
    await service.events();
    for (const [time, email] of [
      ['09:00', 'ADA@x.com'],
      ['10:00', 'Second@X.com'],
    ] as const) {
      const more = { email, lastName: 'Lovelace', phone: '+4930123456' };
      const reply = await book(service, bookingOf(typeId, at(service, 1, time), more));
      expect(reply.body.data).toMatchObject({
        contactId: body.data.id,
        contact: { lastName: 'King', email: 'ada@x.com', phone: null },
      });
    }
    expect(await service.events()).toMatchObject([
      { name: 'appointment.booked', contactId: body.data.id, data: { tags: ['vip'] } },
      { name: 'appointment.booked', contactId: body.data.id },
    ]);
    const read = await service.call(`GET /api/v1/contacts/${body.data.id}`);
    expect(read.body.data).toEqual(body.data);
  });

  test('is created without required custom fields', async ({ service }) => {
    await apply(service, { customFields: [{ name: 'insurance', isRequired: true }] });
    const { typeId } = await calendarOf(service);
    const reply = await book(service, bookingOf(typeId, at(service, 1, '09:00')));
    const { contactId } = reply.body.data;
    const { body } = await service.call(`GET /api/v1/contacts/${contactId}`);
    expect(body.data).toMatchObject({ source: 'booking', customFields: {} });
  });
});

test('a repeated Idempotency-Key books once and returns the same', async ({ service }) => {
  const { typeId } = await calendarOf(service);
  const body = bookingOf(typeId, at(service, 1, '09:00'));
  const ask = () =>
    service.call('POST /api/v1/calendars/appointments', {
      body,
      headers: { 'idempotency-key': 'k1' },
    });
  const first = await ask();
  const second = await ask();
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
});
