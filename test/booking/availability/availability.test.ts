import { createKey } from '../../../src/accounts/keys/create-key.ts';
import {
  always,
  at,
  availability,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  CHECKUP,
  dayFromNow,
} from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';

const MORNING = { hours: always('09:00-11:00') };
const startsOf = ({ body }: any) => body.data.map(({ start }: any) => start.slice(11, 16));

describe('GET /api/v1/calendars/availability', () => {
  test('returns each free slot as specified', async ({ service }) => {
    const { typeId } = await calendarOf(service, { ...MORNING, timezone: 'Europe/Berlin' });
    const date = dayFromNow(service, 2);
    const { status, body } = await availability(service, { appointmentTypeId: typeId, date });

    expect(status).toBe(200);
    expect(body.data).toHaveLength(4);
    const [first] = body.data;
    expect(first).toEqual({
      start: new Date(first.startTime).toISOString(),
      end: new Date(first.startTime + 1_800_000).toISOString(),
      startTime: expect.any(Number),
      endTime: first.startTime + 1_800_000,
      date,
      label: expect.stringMatching(/\b0?9:00/),
      timezone: 'Europe/Berlin',
      available: true,
    });
    expect(body.meta).toEqual({
      timezone: 'Europe/Berlin',
      appointmentTypeId: typeId,
      startDate: date,
      endDate: date,
      days: 1,
      daysReturned: 1,
      truncated: false,
    });
  });

  test("leaves out booked times, in the member's other calendars too, until they are cancelled", async ({
    service,
  }) => {
    const other = { ...MORNING, key: 'other', types: [{ key: 'o', name: 'O', duration: 30 }] };
    const elsewhere = await calendarOf(service, other);
    const { typeId } = await calendarOf(service, { ...MORNING, buffers: { before: 0, after: 10 } });
    const query = { appointmentTypeId: typeId, date: dayFromNow(service, 1) };
    const { id } = await bookedOf(service, bookingOf(elsewhere.typeId, at(service, 1, '10:00')));
    expect(startsOf(await availability(service, query))).toEqual(['09:00', '10:30']);
    await service.call(`DELETE /api/v1/calendars/appointments/${id}`);
    expect(startsOf(await availability(service, query))).toHaveLength(4);
  });

  test('shows the seats left of a class if its calendar shows seats', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 2 }];
    const yoga = { ...MORNING, type: 'class', showSeats: true, types };
    const { typeId } = await calendarOf(service, yoga);
    const query = { appointmentTypeId: typeId, date: dayFromNow(service, 1) };
    const seats = async () =>
      (await availability(service, query)).body.data.map((slot: any) => slot.seatsRemaining);
    expect(await seats()).toEqual([2, 2, 2, 2]);
    await bookedOf(service, bookingOf(typeId, at(service, 1, '09:30')));
    expect(await seats()).toEqual([2, 1, 2, 2]);
    await bookedOf(service, bookingOf(typeId, at(service, 1, '09:30')));
    expect(await seats()).toEqual([2, 2, 2]);
    await calendarOf(service, { ...yoga, showSeats: false });
    expect(await seats()).toEqual([undefined, undefined, undefined]);
  });

  test("finds a type by name or slug, ignoring case, and refuses an ambiguous name with the candidates' ids", async ({
    service,
  }) => {
    const twin = { key: 'twin', types: [{ key: 'twin-30', name: 'CHECK-UP', slug: 'twin' }] };
    const one = await calendarOf(service);
    const date = dayFromNow(service, 1);
    const idOf = async (name: string) =>
      (await availability(service, { appointmentType: name, date })).body.meta?.appointmentTypeId;
    expect(await idOf('cHeCk-Up')).toBe(one.typeId);
    const other = await calendarOf(service, twin);
    expect(await idOf('TWIN')).toBe(other.typeId);
    const { status, body } = await availability(service, { appointmentType: 'check-up', date });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.candidates.map(({ id }: any) => id)).toEqual([
      one.typeId,
      other.typeId,
    ]);
    expect(body.error.message).toContain(one.typeId);
    await calendarOf(service, { key: 'twin', types: [{ ...twin.types[0], active: false }] });
    expect(await idOf('check-up')).toBe(one.typeId);
  });

  test('returns an empty list for a type that is unknown, foreign or inactive', async ({
    service,
  }) => {
    await apply(service, { subAccount: { timezone: 'Asia/Tokyo' } });
    const foreign = await calendarOf(service, {}, 'other');
    const off = await calendarOf(service, { types: [{ ...CHECKUP.types[0], active: false }] });
    const date = dayFromNow(service, 1);
    for (const [query, unresolved] of [
      [{ appointmentTypeId: crypto.randomUUID() }, 'unknown'],
      [{ appointmentTypeId: foreign.typeId }, 'unknown'],
      [{ appointmentTypeId: off.typeId }, 'inactive'],
      [{ appointmentType: String(CHECKUP.types[0]?.name).toUpperCase() }, 'inactive'],
      [{ appointmentType: 'nothing' }, 'unknown'],
    ] as const) {
      const { status, body } = await availability(service, { ...query, date });
      expect([status, body]).toEqual([
        200,
        {
          data: [],
          meta: {
            timezone: 'Asia/Tokyo',
            appointmentTypeId: null,
            startDate: date,
            endDate: date,
            days: 1,
            daysReturned: 1,
            truncated: false,
            unresolved,
            known: [],
          },
        },
      ]);
    }
  });

  test('lists the slugs of the active types if the type does not resolve', async ({ service }) => {
    const [type] = CHECKUP.types;
    const off = { ...type, key: 'old', name: 'Old', slug: 'old', active: false };
    await calendarOf(service, { types: [{ ...type, slug: 'check-up' }, off] });
    const date = dayFromNow(service, 1);

    const { body } = await availability(service, { appointmentType: 'Old', date });
    const resolved = await availability(service, { appointmentType: 'check-up', date });

    expect(body.meta).toMatchObject({ unresolved: 'inactive', known: ['check-up'] });
    expect(resolved.body.meta).not.toHaveProperty('unresolved');
    expect(resolved.body.meta).not.toHaveProperty('known');
  });

  test.for([
    ['no type', { date: '2027-01-31' }, '/appointmentTypeId'],
    ['no date', { appointmentType: 'x' }, '/date'],
    ['a day of one digit', { appointmentType: 'x', date: '2027-01-1' }, '/date'],
    ['a date that does not exist', { appointmentType: 'x', date: '2027-02-29' }, '/date'],
    ['an end before the start', range('2027-01-31', '2027-01-30'), '/endDate'],
    ['a range of 32 days', range('2027-01-01', '2027-02-01'), '/endDate'],
    ['a range of years', range('0001-01-01', '9999-12-31'), '/endDate'],
    ['a malformed id', { appointmentTypeId: 'x', date: '2027-01-01' }, '/appointmentTypeId'],
  ] as const)('refuses %s', async ([, query, path], { service }) => {
    const { status, body } = await availability(service, query);
    expect([status, body.error.details.issues[0]]).toMatchObject([400, { in: 'query', path }]);
  });

  test('returns 31 days, both ends included, at either end of time', async ({ service }) => {
    const { typeId } = await calendarOf(service, { timezone: 'Asia/Kolkata' });
    for (const [date, endDate] of [
      ['2027-01-01', '2027-01-31'],
      ['0000-01-01', '0000-01-31'],
      ['0001-01-01', '0001-01-31'],
      ['9999-12-01', '9999-12-31'],
    ] as const) {
      const query = { appointmentTypeId: typeId, date, endDate };
      const { status, body } = await availability(service, query);
      expect([date, status, body.meta?.days]).toEqual([date, 200, 31]);
    }
  });
});

function range(date: string, endDate: string) {
  return { appointmentType: 'x', date, endDate };
}

describe('the rate cost of a range', () => {
  test('is one request per day; whole days that fit are returned, then 429', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, MORNING);
    const { key } = await service.transact(service.subAccountId, service.actor, (work) =>
      createKey(work, { name: 'k', scopes: ['availability:read'], rateRead: '10/1h' }),
    );
    const ask = (first: number, last: number) =>
      availability(
        service,
        {
          appointmentTypeId: typeId,
          date: dayFromNow(service, first),
          endDate: dayFromNow(service, last),
        },
        key,
      );
    const whole = await ask(1, 7);
    expect(whole.headers.get('x-ratelimit-remaining')).toBe('3');
    expect(whole.body.meta).toMatchObject({ days: 7, daysReturned: 7, truncated: false });
    const cut = await ask(1, 7);
    expect(cut.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(cut.body.meta).toMatchObject({
      days: 7,
      daysReturned: 3,
      truncated: true,
      endDate: dayFromNow(service, 7),
    });
    expect(new Set(cut.body.data.map(({ date }: any) => date))).toEqual(
      new Set([1, 2, 3].map((day) => dayFromNow(service, day))),
    );
    const none = await ask(1, 1);
    expect([none.status, none.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(none.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is one request if the range is refused', async ({ service }) => {
    const { key } = await service.transact(service.subAccountId, service.actor, (work) =>
      createKey(work, { name: 'k', scopes: ['availability:read'], rateRead: '10/1h' }),
    );
    const refused = await availability(service, range('2027-01-01', '2027-12-31'), key);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([400, '9']);
  });
});

describe('booking accepts exactly the slots that availability offers', () => {
  test.for([
    ['personal', {}],
    ['buffers and an interval', { buffers: { before: 5, after: 10 }, slotInterval: 20 }],
    ['round-robin', { type: 'round-robin', members: ['anna', 'ben'] }],
    [
      'collective',
      { type: 'collective', members: ['anna', { member: 'ben', hours: always('09:15-10:30') }] },
    ],
    ['class', { type: 'class', types: [{ key: 'c', name: 'C', duration: 30, seats: 2 }] }],
    ['a full day', { maxPerDay: 2 }],
  ] as const)('%s', async ([, change], { service }) => {
    const { typeId } = await calendarOf(service, { ...MORNING, ...change });
    const query = { appointmentTypeId: typeId, date: dayFromNow(service, 1) };
    const from = at(service, 1, '08:30');
    const candidates = Array.from({ length: 37 }, (_, n) => from + n * 300_000);
    for (let booked = 0; booked < 20; booked += 1) {
      const { data } = (await availability(service, query)).body;
      const offered = new Set(data.map(({ startTime }: any) => startTime));
      const others = candidates.filter((start) => !offered.has(start));
      for (const start of others) {
        expect((await book(service, bookingOf(typeId, start))).status).toBe(400);
      }
      const slot = data[booked % Math.max(1, data.length)];
      if (!slot) {
        return expect(booked).toBeGreaterThan(0);
      }
      const { startTime, endTime } = slot;
      expect((await book(service, bookingOf(typeId, startTime, { endTime }))).status).toBe(201);
    }
    throw new Error('more than a morning holds');
  });
});
