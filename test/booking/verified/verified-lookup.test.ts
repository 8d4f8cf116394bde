import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { ADA, adasAppointment, adasSeries, verified } from './verified.support.ts';

const { email, phone, lastName } = ADA;

describe('identification', () => {
  test.for([
    ['nothing', {}],
    ['an email alone', { email }],
    ['an email alone, with null for the others', { contactId: null, email, lastName: null }],
    ['a phone alone', { phone }],
    ['a last name alone', { lastName }],
    ['a phone without a country code', { email, phone: '020 7946 0018' }],
    ['a malformed email', { email: 'ada', lastName }],
    ['a blank name', { email, lastName: ' ' }],
    ['a malformed contactId', { contactId: 'ada' }],
    ['contactId with an email', { contactId: crypto.randomUUID(), email }],
    ['contactId with all', { contactId: crypto.randomUUID(), email, phone, lastName }],
    ['an unknown field', { email, lastName, firstName: 'Ada' }],
  ] as const)('of %s is 400 everywhere', async ([, given], { service }) => {
    await adasAppointment(service);
    const appointmentId = crypto.randomUUID();
    const times = { newStartTime: 1, newEndTime: 2 };
    for (const answer of [
      await verified(service, '', given),
      await verified(service, '/actionable', given),
      await verified(service, '/cancel', { ...given, appointmentId, confirm: true }),
      await verified(service, '/reschedule', { ...given, appointmentId, ...times }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details.issues.length).toBeGreaterThan(0);
    }
  });

  test.for([
    ['email and phone', { email, phone }],
    ['email and last name', { email, lastName }],
    ['phone and last name', { phone, lastName }],
    ['all three', { email, phone, lastName }],
    ['two of them, with null for the others', { contactId: null, email, phone: null, lastName }],
    ['a name in other case and spacing', { email, lastName: ' VAN  DER berg ' }],
  ] as const)('by %s finds the customer', async ([, given], { service }) => {
    const { id } = await adasAppointment(service);
    const { status, body } = await verified(service, '', given);
    expect([status, body.data.map((row: any) => row.appointmentId)]).toEqual([200, [id]]);
  });

  test('takes ß and ss for the same', async ({ service }) => {
    const { id, contactId } = await adasAppointment(service);
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: { lastName: 'Weiß' } });
    for (const spoken of ['WEISS', 'Weiss', 'weiß']) {
      const { body } = await verified(service, '', { email, lastName: spoken });
      expect(body.data?.[0]?.appointmentId).toBe(id);
    }
    expect((await verified(service, '', { email, lastName: 'Weis' })).status).toBe(404);
  });

  test('finds additional emails and phones too', async ({ service }) => {
    const { id, contactId } = await adasAppointment(service);
    const more = { additionalEmails: ['Second@example.com'], additionalPhones: ['+493012345678'] };
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: more });
    const given = { email: 'Second@example.com', phone: '+493012345678' };
    const { body } = await verified(service, '', given);
    expect(body.data[0].appointmentId).toBe(id);
  });

  test('that fails for any reason returns the same 404, byte for byte, and changes nothing', async ({
    service,
  }) => {
    const { id, contactId, typeId, startTime } = await adasAppointment(service);
    const { body: foreign } = await service.call('POST /api/v1/contacts', {
      key: 'other',
      body: { ...ADA, email: 'else@example.com' },
    });
    const other = { firstName: 'Ben', lastName: 'Other', email: 'ben@example.com' };
    const bens = await bookedOf(service, bookingOf(typeId, at(service, 3, '10:00'), other));
    const without = { firstName: 'No', lastName: 'Appointment', email: 'no@example.com' };
    const { body: none } = await service.call('POST /api/v1/contacts', { body: without });
    const deleted = { firstName: 'Gone', lastName: 'Away', email: 'gone@example.com' };
    const gone = await bookedOf(service, bookingOf(typeId, at(service, 4, '10:00'), deleted));
    await service.call(`DELETE /api/v1/contacts/${gone.contactId}`);
    await service.events();
    const failures: object[] = [
      { contactId: crypto.randomUUID() },
      { contactId: foreign.data.id },
      { contactId: none.data.id },
      { contactId: gone.contactId },
      { email: deleted.email, lastName: deleted.lastName },
      { email: email.toLowerCase(), lastName },
      { email, lastName: 'Berg' },
      { email, phone: '+493012345678' },
      { email: other.email, phone },
      { email: other.email, lastName },
      { email: without.email, lastName: without.lastName },
      { email: "x'--@example.com", lastName: '%' },
    ];
    const bodies = new Set<string>();
    const keep = ({ status, body }: Awaited<ReturnType<typeof verified>>) => {
      expect(status).toBe(404);
      bodies.add(JSON.stringify(body));
    };
    const times = { newStartTime: startTime + 3_600_000, newEndTime: startTime + 5_400_000 };
    for (const given of failures) {
      keep(await verified(service, '', given));
      keep(await verified(service, '/actionable', given));
      keep(await verified(service, '/cancel', { ...given, appointmentId: id, confirm: true }));
      keep(await verified(service, '/reschedule', { ...given, appointmentId: id, ...times }));
    }
    for (const appointmentId of [bens.id, crypto.randomUUID()]) {
      keep(await verified(service, '/cancel', { contactId, appointmentId, confirm: true }));
      keep(await verified(service, '/reschedule', { contactId, appointmentId, ...times }));
    }
    expect([...bodies]).toHaveLength(1);
    expect(await service.events()).toEqual([]);
  });

  test('by details that two customers share returns that 404 too', async ({ service }) => {
    const { typeId } = await adasAppointment(service);
    const partner = { ...ADA, firstName: 'Bo', email: 'bo@example.com' };
    await bookedOf(service, bookingOf(typeId, at(service, 3, '09:00'), partner));
    expect((await verified(service, '', { phone, lastName })).status).toBe(404);
    expect((await verified(service, '', { email, phone })).status).toBe(200);
  });
});

describe('the history', () => {
  test('has every appointment with what its customer may do', async ({ service }) => {
    const { id, contactId, startTime } = await adasAppointment(service);
    const { body } = await verified(service, '', { contactId });
    expect(body).toEqual({
      data: [
        {
          appointmentId: id,
          label: expect.stringMatching(/, 9:00 AM$/),
          start: new Date(startTime).toISOString(),
          end: new Date(startTime + 1_800_000).toISOString(),
          startTime,
          endTime: startTime + 1_800_000,
          timezone: 'UTC',
          status: 'scheduled',
          appointmentTypeName: 'Check-up',
          partOfSeries: false,
          canCancel: true,
          canReschedule: true,
        },
      ],
      meta: { hasMore: false },
    });
    expect(await service.events()).toEqual([]);
  });

  test('has cancelled appointments and series, which cannot be changed', async ({ service }) => {
    const { contactId, typeId } = await adasSeries(service);
    const single = await bookedOf(service, bookingOf(typeId, at(service, 4, '12:00'), ADA));
    await service.call(`DELETE /api/v1/calendars/appointments/${single.id}`);
    const { body } = await verified(service, '', { contactId });
    expect(
      body.data.map((row: any) => [row.status, row.partOfSeries, row.canCancel, row.canReschedule]),
    ).toEqual([
      ['cancelled', false, false, false],
      ...Array.from({ length: 3 }, () => ['scheduled', true, false, false]),
    ]);
  });

  test('ends after twenty and has hasMore', async ({ service }) => {
    const { contactId, typeId } = await adasAppointment(service);
    const fill = async (from: number, until: number) => {
      for (let at_ = from; at_ < until; at_ += 1) {
        const startTime = at(service, 3, '00:00') + at_ * 1_800_000;
        await bookedOf(service, bookingOf(typeId, startTime, ADA));
      }
    };
    await fill(0, 19);
    const twenty = await verified(service, '', { contactId });
    expect([twenty.body.data.length, twenty.body.meta.hasMore]).toEqual([20, false]);
    await fill(19, 20);
    const capped = await verified(service, '', { contactId });
    expect([capped.body.data.length, capped.body.meta.hasMore]).toEqual([20, true]);
  });
});

describe('the actionable appointment', () => {
  const ask = async (service: TestService, contactId: string) => {
    const { status, body } = await verified(service, '/actionable', { contactId });
    return [status, body.data?.appointment?.appointmentId ?? null, body.meta?.ambiguous];
  };

  test('is the only upcoming one', async ({ service }) => {
    const { id, contactId, typeId } = await adasAppointment(service);
    const other = await bookedOf(service, bookingOf(typeId, at(service, 4, '12:00'), ADA));
    expect(await ask(service, contactId)).toEqual([200, null, true]);
    await service.call(`DELETE /api/v1/calendars/appointments/${other.id}`);
    expect(await ask(service, contactId)).toEqual([200, id, false]);
    service.clock.advance(2 * 86_400_000 + 12 * 3_600_000);
    expect(await ask(service, contactId)).toEqual([200, null, true]);
  });

  test('is never part of a series', async ({ service }) => {
    const { contactId } = await adasSeries(service);
    expect(await ask(service, contactId)).toEqual([200, null, true]);
  });

  test('is 404 for a customer who never booked', async ({ service }) => {
    await calendarOf(service);
    const { body } = await service.call('POST /api/v1/contacts', { body: ADA });
    expect((await ask(service, body.data.id))[0]).toBe(404);
  });
});
