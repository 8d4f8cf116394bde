import { always, at, book, bookingOf, calendarOf, reasonOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const ROUNDS = 8;
const AT_ONCE = 60;
const HALF_HOUR_MS = 1_800_000;

const countsOf = (answers: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    counts[String(answer)] = (counts[String(answer)] ?? 0) + 1;
  }
  return counts;
};

/** Books all at once and counts the statuses and reasons. */
const together = async (service: TestService, bodies: readonly object[]) =>
  countsOf(await Promise.all(bodies.map(async (body) => reasonOf(await book(service, body)))));

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Returns appointments whose blocks overlap another block of the same member. There must be none. */
const overlaps = ({ database, subAccountId }: TestService) =>
  database.rows(
    `select one.appointment_id from appointment_blocks one join appointment_blocks other
       on other.sub_account_id = one.sub_account_id and other.member_id = one.member_id
       and other.block && one.block and other.slot_id <> one.slot_id
     where one.sub_account_id = $1`,
    [subAccountId],
  );

describe('concurrent bookings', () => {
  test('for one slot: exactly one succeeds, in every round', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    for (let round = 0; round < ROUNDS; round += 1) {
      const startTime = at(service, 1, '00:00') + round * HALF_HOUR_MS;
      const answers = await together(
        service,
        times(AT_ONCE, () => bookingOf(typeId, startTime)),
      );
      expect([round, answers]).toEqual([round, { 201: 1, slot_unavailable: AT_ONCE - 1 }]);
    }
    const names = await service.eventNames();
    expect(countsOf(names)).toEqual({ 'contact.created': ROUNDS, 'appointment.booked': ROUNDS });
    expect(await overlaps(service)).toEqual([]);
  });

  test('of one person for many slots: all succeed with one contact', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const first = at(service, 1, '00:00');
    const bodies = times(20, (n) =>
      bookingOf(typeId, first + n * HALF_HOUR_MS, { email: n % 2 ? 'ada@x.com' : 'ADA@x.com' }),
    );
    expect(await together(service, bodies)).toEqual({ 201: 20 });
    expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(1);
    expect(countsOf(await service.eventNames())).toEqual({
      'contact.created': 1,
      'appointment.booked': 20,
    });
  });

  test('for a class: as many succeed as there are seats', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 5 }];
    const { typeId } = await calendarOf(service, { type: 'class', types });
    for (let round = 0; round < 4; round += 1) {
      const startTime = at(service, 1, '00:00') + round * HALF_HOUR_MS;
      const bodies = times(12, () => bookingOf(typeId, startTime));
      expect(await together(service, bodies)).toEqual({ 201: 5, slot_unavailable: 7 });
    }
    expect(await overlaps(service)).toEqual([]);
  });

  test('for a round-robin: as many succeed as there are members, each with another member', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, {
      type: 'round-robin',
      members: ['anna', 'ben', 'cleo'],
    });
    const startTime = at(service, 1, '09:00');
    const bodies = times(12, () => bookingOf(typeId, startTime));
    expect(await together(service, bodies)).toEqual({ 201: 3, slot_unavailable: 9 });
    const { body } = await service.call('GET /api/v1/calendars/appointments');
    expect(new Set(body.data.map(({ assignedTo }: any) => assignedTo)).size).toBe(3);
  });

  test('for different slots of a round-robin: members get equal shares', async ({ service }) => {
    const { typeId, team } = await calendarOf(service, {
      type: 'round-robin',
      members: ['anna', 'ben', 'cleo'],
    });
    const first = at(service, 1, '00:00');
    const bodies = times(12, (n) => bookingOf(typeId, first + n * HALF_HOUR_MS));
    expect(await together(service, bodies)).toEqual({ 201: 12 });
    const { body } = await service.call('GET /api/v1/calendars/appointments');
    expect(countsOf(body.data.map(({ assignedTo }: any) => assignedTo))).toEqual(
      Object.fromEntries(Object.values(team).map((id) => [id, 4])),
    );
  });

  test('on a day with a limit of three: exactly three succeed, the others get day_full', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, { maxPerDay: 3 });
    const first = at(service, 1, '00:00');
    const bodies = times(20, (n) => bookingOf(typeId, first + n * HALF_HOUR_MS));
    expect(await together(service, bodies)).toEqual({ 201: 3, day_full: 17 });
  });

  test('for overlapping slots of calendars that share a member: no two succeed', async ({
    service,
  }) => {
    const quarter = { slotInterval: 5, hours: always() };
    const one = await calendarOf(service, quarter);
    const other = await calendarOf(service, {
      ...quarter,
      key: 'surgery',
      buffers: { before: 10, after: 10 },
      types: [{ key: 'implant', name: 'Implant', duration: 30 }],
    });
    const first = at(service, 1, '12:00');
    const bodies = times(40, (n) =>
      bookingOf(n % 2 ? one.typeId : other.typeId, first + n * 300_000),
    );
    const { 201: taken = 0, slot_unavailable: refused = 0 } = await together(service, bodies);
    expect(taken + refused).toBe(40);
    expect(taken).toBeGreaterThan(0);
    expect(await overlaps(service)).toEqual([]);
  });
});
