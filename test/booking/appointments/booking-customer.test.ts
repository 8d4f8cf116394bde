import { at, book, bookingOf, calendarOf, reasonOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const PHONE = '+4930123456';

const contactOf = async ({ call }: TestService, more: object = {}) =>
  (
    await call('POST /api/v1/contacts', {
      body: { firstName: 'Grace', lastName: 'Hopper', ...more },
    })
  ).body.data;

/** Returns a booking without the customer. */
async function slotOf(service: TestService, n = 0) {
  const { typeId } = await calendarOf(service);
  const { appointmentTypeId, startTime, endTime } = bookingOf(
    typeId,
    at(service, 1, '09:00') + n * 1_800_000,
  );
  return { appointmentTypeId, startTime, endTime };
}

const NAMES = { firstName: 'Jo', lastName: 'Doe' };

describe('a booking with a contact id', () => {
  test('is for that contact, unchanged, and fires appointment.booked only', async ({ service }) => {
    const contact = await contactOf(service, { email: 'grace@x.com', tags: ['vip'] });
    const body = { ...(await slotOf(service)), contactId: contact.id };
    await service.events();
    const reply = await book(service, body);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      contactId: contact.id,
      contact: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@x.com', phone: null },
    });
    const events = await service.events();
    expect(events.map(({ name, contactId }) => [name, contactId])).toEqual([
      ['appointment.booked', contact.id],
    ]);
    const after = await service.call(`GET /api/v1/contacts/${contact.id}`);
    expect(after.body.data).toEqual(contact);
  });

  test.for([
    ['an unknown contact', { contactId: '0192f7c4-5b1e-7c3a-9d42-000000000000' }],
    ['a contact and a first name', { firstName: 'Jo' }],
    ['a contact and a last name', { lastName: 'Doe' }],
    ['a contact and an email', { email: 'jo@x.com' }],
  ] as const)('is refused for %s', async ([, more], { service }) => {
    const { id: contactId } = await contactOf(service);
    const body = { ...(await slotOf(service)), contactId, ...more };
    await service.events();
    const reply = await book(service, body);
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, '/contactId']);
    expect(await service.events()).toEqual([]);
  });

  test('takes null for the other details, as for everything optional', async ({ service }) => {
    const slot = await slotOf(service);
    const { id: contactId } = await contactOf(service);
    const none = { firstName: null, lastName: null, email: null, phone: null };
    const more = { assignedTo: null, notes: null };
    const { status, body } = await book(service, { ...slot, ...none, ...more, contactId });
    expect([status, body.data?.contactId]).toEqual([201, contactId]);
    const refused = await book(service, { ...slot, ...none, ...more, contactId: null });
    const paths = refused.body.error.details.issues.map((one: { path: string }) => one.path);
    expect([refused.status, paths]).toEqual([400, ['/firstName', '/lastName', '/email']]);
  });

  test('is refused for a contact of another sub-account and for a deleted one', async ({
    service,
  }) => {
    const slot = await slotOf(service);
    const created = await service.call('POST /api/v1/contacts', { key: 'other', body: NAMES });
    const deleted = await contactOf(service);
    await service.call(`DELETE /api/v1/contacts/${deleted.id}`);
    for (const { id: contactId } of [created.body.data, deleted]) {
      const { status, body } = await book(service, { ...slot, contactId });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/contactId']);
    }
  });
});

describe('a booking with a phone instead of an email', () => {
  test('is for the contact with that phone, or with it as an additional phone', async ({
    service,
  }) => {
    const first = await contactOf(service, { phone: PHONE });
    const second = await contactOf(service, { additionalPhones: ['+4930123457'] });
    for (const [n, [phone, contact]] of [
      [PHONE, first],
      ['+4930123457', second],
    ].entries()) {
      const slot = await slotOf(service, n);
      await service.events();
      const { status, body } = await book(service, { ...slot, ...NAMES, phone });
      expect([status, body.data?.contactId]).toEqual([201, contact.id]);
      expect(body.data.contact.firstName).toBe('Grace');
      expect(await service.eventNames()).toEqual(['appointment.booked']);
    }
  });

  test('creates a contact without an email if none has the phone', async ({ service }) => {
    const slot = await slotOf(service);
    const { status, body } = await book(service, { ...slot, ...NAMES, phone: PHONE, email: null });
    expect([status, body.data.contact]).toEqual([201, { ...NAMES, email: null, phone: PHONE }]);
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
  });

  test('is refused as ambiguous for a phone of two contacts, with their ids', async ({
    service,
  }) => {
    const ids = [
      await contactOf(service, { phone: PHONE }),
      await contactOf(service, { phone: PHONE }),
    ];
    const slot = await slotOf(service);
    await service.events();
    const { status, body } = await book(service, { ...slot, ...NAMES, phone: PHONE });
    expect([status, body.error.details]).toEqual([
      400,
      {
        issues: [expect.objectContaining({ path: '' })],
        reason: 'ambiguous_phone',
        contactIds: ids.map(({ id }) => id),
      },
    ]);
    expect(await service.events()).toEqual([]);
    // With an email, the email decides.
    const named = await book(service, { ...slot, ...NAMES, phone: PHONE, email: 'jo@x.com' });
    expect(named.status).toBe(201);
  });

  test('20 simultaneous bookings of one new phone create one contact', async ({ service }) => {
    const slots = [];
    for (let n = 0; n < 20; n += 1) {
      slots.push(await slotOf(service, n));
    }
    await service.events();
    const replies = await Promise.all(
      slots.map((slot) => book(service, { ...slot, ...NAMES, phone: PHONE })),
    );
    expect(replies.map(reasonOf)).toEqual(slots.map(() => 201));
    expect(new Set(replies.map(({ body }) => body.data.contactId)).size).toBe(1);
    const names = await service.eventNames();
    expect(names.filter((name) => name === 'contact.created')).toHaveLength(1);
    expect(names).toHaveLength(21);
  });
});

describe('a booking without enough details', () => {
  test.for([
    [{}, ['/firstName', '/lastName', '/email']],
    [{ ...NAMES }, ['/email']],
    [{ ...NAMES, email: null, phone: null }, ['/email']],
    [{ firstName: 'Jo', phone: PHONE }, ['/lastName']],
    [{ lastName: 'Doe', email: 'jo@x.com' }, ['/firstName']],
  ] as const)('%j names what is missing', async ([customer, paths], { service }) => {
    const slot = await slotOf(service);
    const { status, body } = await book(service, { ...slot, ...customer });
    const issues = body.error.details.issues.map(({ path }: any) => path);
    expect([status, issues]).toEqual([400, paths]);
    expect(await service.events()).toEqual([]);
  });

  test('is refused by the public endpoint, which needs names and an email', async ({ service }) => {
    const { id: contactId } = await contactOf(service, { phone: PHONE });
    const slot = { subAccountId: service.subAccountId, ...(await slotOf(service)) };
    for (const customer of [{ contactId }, { ...NAMES, phone: PHONE }]) {
      const body = { ...slot, ...customer };
      const reply = await service.call('POST /api/booking/appointments', { key: null, body });
      expect(reply.status).toBe(400);
    }
  });
});
