import { always, at, book, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { describe, expect, test, type Answer, type TestService } from '../../support/service.ts';

const PAIR = { type: 'round-robin', members: ['anna', 'ben', 'cleo'] };
const HALF_HOUR_MS = 1_800_000;
const ADA = { email: 'ada@x.com' };

const bookPublicly = (service: TestService, body: object): Promise<Answer> =>
  service.call('POST /api/booking/appointments', {
    key: null,
    body: { subAccountId: service.subAccountId, ...body },
  });

const outcomeOf = ({ status, body }: Answer): unknown =>
  status === 201 ? 201 : [body.error.details.reason, body.error.details.alreadyBooked];

const REFUSED = ['slot_unavailable', true];

describe('a visitor with an appointment of the type at that start', () => {
  test.for([
    ['although another member is free', PAIR],
    ['and the time is taken by it', {}],
    ['and the day is full', { maxPerDay: 1 }],
  ] as const)('is refused, %s, and learns nothing about it', async ([, calendar], { service }) => {
    const { typeId } = await calendarOf(service, calendar);
    const start = at(service, 1, '09:00');
    const first = await bookPublicly(service, bookingOf(typeId, start, ADA));
    expect(first.status).toBe(201);
    await service.events();
    const again = bookingOf(typeId, start, { email: 'ADA@x.com', firstName: 'Eve' });
    const { status, body } = await bookPublicly(service, again);
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'VALIDATION_ERROR',
        message: 'this customer already has an appointment at that time',
        details: {
          issues: [expect.objectContaining({ path: '' })],
          reason: 'slot_unavailable',
          alreadyBooked: true,
          alternatives: expect.any(Array),
        },
      },
    ]);
    const starts = body.error.details.alternatives.map(({ startTime }: any) => startTime);
    expect(starts).toHaveLength(3);
    expect(starts).not.toContain(start);
    expect(await service.events()).toEqual([]);
  });

  test('is refused if they typed an additional email, or if the appointment was booked with a key', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, PAIR);
    const start = at(service, 1, '09:00');
    const { contactId } = await bookedOf(service, bookingOf(typeId, start, ADA));
    await service.call(`PATCH /api/v1/contacts/${contactId}`, {
      body: { additionalEmails: ['lovelace@x.com'] },
    });
    const other = bookingOf(typeId, start, { email: 'lovelace@x.com' });
    expect(outcomeOf(await bookPublicly(service, other))).toEqual(REFUSED);
  });

  test('books another start, another type, a seat of a class, and again after cancelling', async ({
    service,
  }) => {
    const types = [
      { key: 'short', name: 'Short', duration: 30 },
      { key: 'other', name: 'Other', duration: 30 },
    ];
    const setup = await calendarOf(service, { ...PAIR, types });
    const [short = '', other = ''] = ['short', 'other'].map((key) => setup.types[key]);
    const start = at(service, 1, '09:00');
    const { id } = await bookedOf(service, bookingOf(short, start, ADA));
    for (const body of [
      bookingOf(other, start, ADA),
      bookingOf(short, start + HALF_HOUR_MS, ADA),
    ]) {
      expect(outcomeOf(await bookPublicly(service, body))).toBe(201);
    }
    await service.call(`DELETE /api/v1/calendars/appointments/${id}`);
    expect(outcomeOf(await bookPublicly(service, bookingOf(short, start, ADA)))).toBe(201);
    const yoga = await calendarOf(service, {
      key: 'yoga',
      type: 'class',
      hours: always(),
      types: [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 3 }],
      members: ['cleo'],
    });
    const seat = bookingOf(yoga.typeId, start + 4 * HALF_HOUR_MS, ADA);
    expect(outcomeOf(await bookPublicly(service, seat))).toBe(201);
    expect(outcomeOf(await bookPublicly(service, seat))).toBe(201);
  });

  test('may be booked twice with a key', async ({ service }) => {
    const { typeId } = await calendarOf(service, PAIR);
    const body = bookingOf(typeId, at(service, 1, '09:00'), ADA);
    expect([(await book(service, body)).status, (await book(service, body)).status]).toEqual([
      201, 201,
    ]);
  });

  test('other visitors are told that the time is taken, and no more', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const start = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, start, ADA));
    const reply = await bookPublicly(service, bookingOf(typeId, start));
    expect(outcomeOf(reply)).toEqual(['slot_unavailable', undefined]);
    expect(reply.body.error.details).not.toHaveProperty('alreadyBooked');
  });
});

describe('20 simultaneous bookings of one visitor', () => {
  test.for([
    ['a known contact', true],
    ['a new contact', false],
  ] as const)('of %s make one appointment, in every round', async ([, isKnown], { service }) => {
    const { typeId } = await calendarOf(service, PAIR);
    for (let round = 0; round < 20; round += 1) {
      const email = `ada.${round}@x.com`;
      if (isKnown) {
        await service.call('POST /api/v1/contacts', {
          body: { firstName: 'Ada', lastName: 'Lovelace', email },
        });
      }
      await service.events();
      const start = at(service, 1, '00:00') + round * HALF_HOUR_MS;
      const bodies = Array.from({ length: 20 }, () => bookingOf(typeId, start, { email }));
      const outcomes = await Promise.all(
        bodies.map(async (body) => outcomeOf(await bookPublicly(service, body))),
      );
      const refused = outcomes.filter((one) => one !== 201);
      expect([round, refused]).toEqual([round, Array.from({ length: 19 }, () => REFUSED)]);
      expect(await service.eventNames()).toEqual(
        isKnown ? ['appointment.booked'] : ['contact.created', 'appointment.booked'],
      );
    }
  });
});
