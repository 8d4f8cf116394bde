import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import {
  at,
  availability,
  bookedOf,
  bookingOf,
  calendarOf,
  CHECKUP,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { openServer } from '../../support/server.ts';
import {
  caller,
  describe,
  expect,
  test,
  type Answer,
  type TestService,
} from '../../support/service.ts';

const TYPES = [
  ...CHECKUP.types,
  { key: 'off', name: 'Off', slug: 'off', duration: 30, active: false },
];

const ask = ({ call }: TestService, path: string, query: object): Promise<Answer> =>
  call(`GET /api/booking/${path}?${new URLSearchParams({ ...query }).toString()}`, { key: null });

const bookPublicly = (service: TestService, body: object): Promise<Answer> =>
  service.call('POST /api/booking/appointments', {
    key: null,
    body: { subAccountId: service.subAccountId, ...body },
  });

describe('the configuration', () => {
  test('has the brand and the active types', async ({ service }) => {
    const { typeId, calendarId } = await calendarOf(service, { types: TYPES });
    const { subAccountId } = service;
    const { status, body } = await ask(service, 'config', { subAccountId });
    const type = { id: typeId, name: 'Check-up', slug: 'check-up', duration: 30, calendarId };
    expect([status, body]).toEqual([
      200,
      { data: { subAccountId, brand: 'Harbour Dental', timezone: 'UTC', types: [type] } },
    ]);
  });

  test('is returned without any calendar, and is 404 once the sub-account is deleted', async ({
    service,
  }) => {
    const { subAccountId } = service;
    const empty = await ask(service, 'config', { subAccountId });
    expect([empty.status, empty.body.data.types]).toEqual([200, []]);
    await service.transact(subAccountId, service.actor, (work) => deleteSubAccount(work));
    const gone = await ask(service, 'config', { subAccountId });
    const unknown = await ask(service, 'config', { subAccountId: crypto.randomUUID() });
    expect([gone.status, gone.body]).toEqual([404, unknown.body]);
  });
});

describe('public availability', () => {
  test('equals the keyed availability, for a whole month', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const query = {
      appointmentTypeId: typeId,
      date: dayFromNow(service, 1),
      endDate: dayFromNow(service, 31),
    };
    const keyed = await availability(service, query);
    const { subAccountId } = service;
    const open = await ask(service, 'availability', { subAccountId, ...query });
    expect([open.status, open.body]).toEqual([200, keyed.body]);
    expect(open.body.meta).toMatchObject({ daysReturned: 31, truncated: false });
  });

  test('is cut after whole days if slots start every minute', async ({ service }) => {
    const types = [{ key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 1 }];
    const { typeId } = await calendarOf(service, { types });
    const query = {
      subAccountId: service.subAccountId,
      appointmentTypeId: typeId,
      date: dayFromNow(service, 1),
      endDate: dayFromNow(service, 31),
    };
    const { body } = await ask(service, 'availability', query);
    expect(body.meta).toMatchObject({ days: 31, daysReturned: 6, truncated: true });
    expect(body.data).toHaveLength(6 * 1_440);
  });

  test('is cut earlier if many members are compared', async ({ service }) => {
    const members = Array.from({ length: 200 }, (_, n) => `m${n}`);
    const types = [{ key: 'quick', name: 'Quick', slug: 'quick', duration: 5 }];
    const { ids } = await apply(service, {
      team: members.map((key) => ({ key, name: key })),
      calendars: [{ ...CHECKUP, type: 'round-robin', members, types }],
    });
    const query = {
      subAccountId: service.subAccountId,
      appointmentTypeId: ids['appointmentTypes']?.['quick'],
      date: dayFromNow(service, 1),
      endDate: dayFromNow(service, 31),
    };
    const { body } = await ask(service, 'availability', query);
    // With one member it would be all of them.
    expect(body.meta).toMatchObject({ days: 31, daysReturned: 17, truncated: true });
    expect(body.data).toHaveLength(17 * 288);
  });

  test("of another sub-account's type is an empty list", async ({ service }) => {
    const { typeId } = await calendarOf(service, {}, 'other');
    const { subAccountId } = service;
    const date = dayFromNow(service, 1);
    const query = { subAccountId, appointmentTypeId: typeId, date };
    const { status, body } = await ask(service, 'availability', query);
    expect([status, body.data, body.meta.appointmentTypeId]).toEqual([200, [], null]);
    expect(body.meta).toMatchObject({ unresolved: 'unknown' });
    expect(body.meta).not.toHaveProperty('known');
  });
});

describe('public booking', () => {
  test('books, creates the contact, and fires only contact.created and appointment.booked', async ({
    service,
  }) => {
    const { typeId, calendarId } = await calendarOf(service);
    await service.events();
    const startTime = at(service, 1, '09:00');
    const more = { email: 'Grace@example.com', phone: '+442079460018', notes: 'By the window' };
    const { status, body } = await bookPublicly(service, bookingOf(typeId, startTime, more));
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      calendarId,
      appointmentTypeId: typeId,
      title: 'Check-up',
      startTime: new Date(startTime).toISOString(),
      endTime: new Date(startTime + 1_800_000).toISOString(),
      status: 'scheduled',
      notes: 'By the window',
      createdAt: expect.any(String),
      contact: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'Grace@example.com',
        phone: '+442079460018',
      },
      manageUrl: expect.stringMatching(/^http:\/\/[^/]+\/book\/manage\/[\w-]{64}$/),
    });
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
    const manage = await fetch(body.data.manageUrl);
    expect([manage.status, (await manage.text()).includes('Check-up')]).toEqual([200, true]);
  });

  test('reveals nothing of a known contact, and does not change it', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const known = {
      firstName: 'Augusta',
      lastName: 'King',
      email: 'known@example.com',
      phone: '+493012345678',
      tags: ['secret-tag'],
    };
    const { body: made } = await service.call('POST /api/v1/contacts', { body: known });
    await service.events();
    const typed = { firstName: 'Any', lastName: 'Body' };
    const answers = [];
    for (const [index, email] of ['KNOWN@example.com', 'new@example.com'].entries()) {
      const startTime = at(service, 2 + index, '09:00');
      answers.push(await bookPublicly(service, bookingOf(typeId, startTime, { ...typed, email })));
    }
    const [toKnown, toNew] = answers;
    expect(toKnown?.body.data.contact).toEqual({
      ...typed,
      email: 'KNOWN@example.com',
      phone: null,
    });
    expect(Object.keys(toKnown?.body.data)).toEqual(Object.keys(toNew?.body.data));
    for (const kept of ['Augusta', 'King', '+4930', 'secret-tag', made.data.id]) {
      expect(JSON.stringify(toKnown?.body)).not.toContain(kept);
      const page = await fetch(toKnown?.body.data.manageUrl);
      expect(await page.text()).not.toContain(kept);
    }
    const { body: after } = await service.call(`GET /api/v1/contacts/${made.data.id}`);
    expect(after.data).toEqual(made.data);
    expect(await service.eventNames()).toEqual([
      'appointment.booked',
      'contact.created',
      'appointment.booked',
    ]);
  });

  test('returns the same reasons as keyed calls, and 404 for unknown types', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const startTime = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, startTime));
    expect(reasonOf(await bookPublicly(service, bookingOf(typeId, startTime)))).toBe(
      'slot_unavailable',
    );
    const early = await bookPublicly(service, bookingOf(typeId, at(service, -1, '09:00')));
    expect(reasonOf(early)).toBe('slot_in_past');
    const elsewhere = await calendarOf(service, {}, 'other');
    const foreign = await bookPublicly(service, bookingOf(elsewhere.typeId, startTime));
    const unknown = await bookPublicly(service, bookingOf(crypto.randomUUID(), startTime));
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is limited per address, apart from availability', async ({ service, running }) => {
    const { typeId } = await calendarOf(service);
    const few = { limit: 1, windowMs: 3_600_000 };
    const many = { limit: 1_000, windowMs: 60_000 };
    const others = {
      chat_session: few,
      chat_message: few,
      chat_activity: few,
      chat_file: few,
      form_file: few,
      form: few,
      workflow: few,
    };
    const reads = { public_read: many, captcha: many, unsubscribe: many };
    const rates = {
      ...others,
      ...reads,
      booking: few,
      availability: many,
      sign_in: many,
      oauth: many,
    };
    const { databaseUrl, clock } = running;
    const server = await openServer({ databaseUrl, clock, publicRates: rates });
    try {
      const call = caller(server.url, {});
      const { subAccountId } = service;
      const statuses = [];
      for (const day of [1, 2]) {
        const query = new URLSearchParams({ subAccountId, appointmentTypeId: typeId });
        query.set('date', dayFromNow(service, day));
        const asked = await call(`GET /api/booking/availability?${query.toString()}`, {
          key: null,
        });
        const body = { subAccountId, ...bookingOf(typeId, at(service, day, '11:00')) };
        const booked = await call('POST /api/booking/appointments', { key: null, body });
        statuses.push(asked.status, booked.status);
      }
      expect(statuses).toEqual([200, 201, 200, 429]);
    } finally {
      await server.stop();
    }
  });
});
