import {
  always,
  at,
  availability,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  dayFromNow,
} from '../../support/calendars.ts';
import { describe, expect, test, type Answer, type TestService } from '../../support/service.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;
const MORNING = { hours: always('09:00-11:00') };

const slot = (startTime: number) => ({ startTime, endTime: startTime + HALF_HOUR_MS });

const detailsOf = ({ status, body }: Answer): any => {
  expect(status).toBe(400);
  return body.error.details;
};

/** A rule about the whole body has one issue, which repeats the message. */
const issues = [{ in: 'body', path: '', message: expect.any(String) }];

/** Returns the starts that availability offers from a start on. */
async function freeFrom(service: TestService, typeId: string, start: number) {
  const query = {
    appointmentTypeId: typeId,
    date: new Date(start).toISOString().slice(0, 10),
    endDate: new Date(start + 30 * DAY_MS).toISOString().slice(0, 10),
  };
  const { body } = await availability(service, query);
  return body.data
    .map(({ startTime, endTime }: any) => ({ startTime, endTime }))
    .filter(({ startTime }: any) => startTime >= start);
}

describe('the alternatives of a refused start', () => {
  test('are the next three free starts', async ({ service }) => {
    const { typeId } = await calendarOf(service, MORNING);
    const first = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, first));
    await bookedOf(service, bookingOf(typeId, first + 2 * HALF_HOUR_MS));
    expect(detailsOf(await book(service, bookingOf(typeId, first)))).toEqual({
      issues,
      reason: 'slot_unavailable',
      alternatives: [
        slot(first + HALF_HOUR_MS),
        slot(first + 3 * HALF_HOUR_MS),
        slot(first + DAY_MS),
      ],
    });
    expect(await service.events()).toEqual([]);
  });

  test.for([
    ['outside_hours', '03:00', {}],
    ['day_full', '09:30', { maxPerDay: 1 }],
    ['too_soon', '09:30', { minimumNotice: 3 * 1_440 }],
    ['invalid_duration', '09:30', { types: [{ key: 'long', name: 'Long', duration: 60 }] }],
    ['slot_unavailable', '09:07', {}],
  ] as const)(
    'of %s are what availability offers from then on',
    async ([reason, time, more], { service }) => {
      const { typeId } = await calendarOf(service, { ...MORNING, ...more });
      if (reason === 'day_full') {
        await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
      }
      const start = at(service, 1, time);
      const details = detailsOf(await book(service, bookingOf(typeId, start)));
      const free = await freeFrom(service, typeId, start);
      expect(details).toEqual({ issues, reason, alternatives: free.slice(0, 3) });
      expect(details.alternatives).toHaveLength(3);
    },
  );

  test('of a start in the past begin now', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const start = at(service, -3, '09:00');
    const { reason, alternatives } = detailsOf(await book(service, bookingOf(typeId, start)));
    const free = await freeFrom(service, typeId, service.clock().getTime());
    expect([reason, alternatives]).toEqual(['slot_in_past', free.slice(0, 3)]);
  });

  test.for([
    ['beyond the calendar', { maximumAdvance: 2 }, 4, 'too_far_ahead'],
    ['of a calendar without hours', { hours: {} }, 1, 'day_unavailable'],
  ] as const)('are none %s', async ([, more, days, reason], { service }) => {
    const { typeId } = await calendarOf(service, { ...MORNING, ...more });
    const reply = await book(service, bookingOf(typeId, at(service, days, '09:00')));
    expect(detailsOf(reply)).toEqual({ issues, reason, alternatives: [] });
  });

  test('are at most 31 days ahead', async ({ service }) => {
    const open = (days: number) => ({ date: dayFromNow(service, days), hours: ['09:00-09:30'] });
    const overrides = [open(1), open(32), open(33)];
    const { typeId } = await calendarOf(service, { hours: {}, overrides });
    const start = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, start));
    const { alternatives } = detailsOf(await book(service, bookingOf(typeId, start)));
    expect(alternatives).toEqual([slot(start + 31 * DAY_MS)]);
  });

  test.for([
    ['a round-robin', { type: 'round-robin', members: ['anna', 'ben'] }, 2],
    ['a collective calendar', { type: 'collective', members: ['anna', 'ben'] }, 1],
    [
      'a class',
      { type: 'class', types: [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 3 }] },
      3,
    ],
  ] as const)('of %s are what availability offers', async ([, more, places], { service }) => {
    const { typeId } = await calendarOf(service, { ...MORNING, ...more });
    const start = at(service, 1, '09:00');
    for (let place = 0; place < places; place += 1) {
      await bookedOf(service, bookingOf(typeId, start));
    }
    const { reason, alternatives } = detailsOf(await book(service, bookingOf(typeId, start)));
    const free = await freeFrom(service, typeId, start);
    expect([reason, alternatives]).toEqual(['slot_unavailable', free.slice(0, 3)]);
  });

  test('are the same for visitors', async ({ service }) => {
    const { typeId } = await calendarOf(service, MORNING);
    const start = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, start));
    const body = { subAccountId: service.subAccountId, ...bookingOf(typeId, start) };
    const reply = await service.call('POST /api/booking/appointments', { key: null, body });
    const free = await freeFrom(service, typeId, start);
    expect(detailsOf(reply)).toEqual({
      issues,
      reason: 'slot_unavailable',
      alternatives: free.slice(0, 3),
    });
  });
});

describe('the alternatives of a refused move', () => {
  const setUp = async (service: TestService) => {
    const { typeId } = await calendarOf(service, MORNING);
    const start = at(service, 1, '09:00');
    await bookedOf(service, bookingOf(typeId, start));
    const own = await bookedOf(service, bookingOf(typeId, start + HALF_HOUR_MS));
    await service.events();
    return { start, own, expected: [2, 3].map((n) => slot(start + n * HALF_HOUR_MS)) };
  };

  test('leave out the time that the appointment has', async ({ service }) => {
    const { start, own, expected } = await setUp(service);
    const reply = await service.call(`POST /api/v1/calendars/appointments/${own.id}/reschedule`, {
      body: slot(start),
    });
    const alternatives = [...expected, slot(start + DAY_MS)];
    expect(detailsOf(reply)).toEqual({ issues, reason: 'slot_unavailable', alternatives });
    expect(await service.events()).toEqual([]);
  });

  test('are shown to a verified customer, too', async ({ service }) => {
    const { start, own, expected } = await setUp(service);
    const reply = await service.call('POST /api/v1/booking/appointments/reschedule', {
      body: {
        contactId: own.contactId,
        appointmentId: own.id,
        newStartTime: new Date(start).toISOString(),
        newEndTime: start + HALF_HOUR_MS,
      },
    });
    const alternatives = [...expected, slot(start + DAY_MS)];
    expect(detailsOf(reply)).toEqual({ issues, reason: 'slot_unavailable', alternatives });
    expect(await service.events()).toEqual([]);
  });
});
