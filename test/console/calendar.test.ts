import { at, bookedOf, bookingOf, calendarOf, dayFromNow } from '../support/calendars.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

async function read(service: TestService, path: string, role: 'agent' | 'viewer' = 'viewer') {
  const { call } = await signInAs(service, role);
  const answer = await call(`GET /console/api/v1/calendars${path}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

const iso = (ms: number) => new Date(ms).toISOString();

describe('the schedule of some days', () => {
  test('has hours, busy times, holds and buffers of the members', async ({ service }) => {
    const { database, subAccountId } = service;
    const { calendarId, typeId, team } = await calendarOf(service, {
      hours: {},
      overrides: [{ date: dayFromNow(service, 3), hours: ['09:00-12:00', '13:00-24:00'] }],
      buffers: { before: 10, after: 20 },
      waitingListMinutes: 60,
    });
    const anna = team['anna'] ?? '';
    const start = at(service, 3, '10:00');
    await bookedOf(service, bookingOf(typeId, start));
    const [from, until] = [at(service, 3, '15:00'), at(service, 3, '16:00')];
    await database.rows(
      `insert into external_busy (sub_account_id, member_id, busy)
       values ($1, $2, tstzmultirange(tstzrange($3, $4), tstzrange($5, $6)))`,
      [subAccountId, anna, iso(from), iso(until), at7(service, '15:00'), at7(service, '16:00')],
    );
    await database.rows(
      `with entry as (
         insert into waiting_entries (sub_account_id, id, appointment_type_id, contact_id, from_time,
           until_time, timezone, state, created_at, updated_at)
         select $1, gen_random_uuid(), $3, id, $4, $5, 'UTC', 'offered', now(), now()
         from contacts where sub_account_id = $1 returning id)
       insert into waiting_offers (sub_account_id, id, entry_id, calendar_id, appointment_type_id,
         start_time, end_time, blocked, member_ids, is_seat, state, expires_at, created_at)
       select $1, gen_random_uuid(), id, $2, $3, $4, $5, tstzrange($4, $5), array[$6::uuid],
         false, 'offered', now() + interval '1 hour', now() from entry`,
      [
        subAccountId,
        calendarId,
        typeId,
        iso(at(service, 3, '17:00')),
        iso(at(service, 3, '17:30')),
        anna,
      ],
    );
    const date = dayFromNow(service, 3);
    const { groups, hours, taken } = await read(service, `/schedule?date=${date}`);
    expect(groups).toEqual([[anna]]);
    const open = { calendarId, group: 0 };
    expect(hours).toEqual([
      { ...open, startTime: iso(at(service, 3, '09:00')), endTime: iso(at(service, 3, '12:00')) },
      { ...open, startTime: iso(at(service, 3, '13:00')), endTime: iso(at(service, 4, '00:00')) },
    ]);
    const span = (kind: string, first: string, last: string) => ({
      kind,
      memberId: anna,
      startTime: iso(at(service, 3, first)),
      endTime: iso(at(service, 3, last)),
    });
    expect(taken).toEqual([
      span('buffer', '09:50', '10:00'),
      span('buffer', '10:30', '10:50'),
      span('busy', '15:00', '16:00'),
      span('reserved', '17:00', '17:30'),
    ]);
  });

  test('follows the zone of the sub-account on days of 23 and 25 hours', async ({ service }) => {
    await calendarOf(service, { timezone: 'Europe/Berlin' });
    await service.database.rows(`update sub_accounts set timezone = 'Europe/Berlin'`);
    for (const [date, hours] of [
      ['2027-03-28', 23],
      ['2027-10-31', 25],
    ] as const) {
      const found = await read(service, `/schedule?date=${date}`);
      const [only] = found.hours;
      expect(found.hours).toHaveLength(1);
      expect((Date.parse(only.endTime) - Date.parse(only.startTime)) / 3_600_000).toBe(hours);
    }
  });

  test('is cut at the ends of the days, also for a calendar of another zone', async ({
    service,
  }) => {
    const { calendarId } = await calendarOf(service, { timezone: 'Asia/Tokyo', members: [] });
    const { groups, hours } = await read(service, `/schedule?date=2027-01-04&endDate=2027-01-05`);
    expect(groups).toEqual([[calendarId]]);
    expect(hours).toEqual([
      expect.objectContaining({
        calendarId,
        startTime: '2027-01-04T00:00:00.000Z',
        endTime: '2027-01-04T15:00:00.000Z',
      }),
      expect.objectContaining({
        startTime: '2027-01-04T15:00:00.000Z',
        endTime: '2027-01-05T15:00:00.000Z',
      }),
      expect.objectContaining({
        startTime: '2027-01-05T15:00:00.000Z',
        endTime: '2027-01-06T00:00:00.000Z',
      }),
    ]);
  });

  test('names the classes with their seats, and no other types', async ({ service }) => {
    const times = { hours: {}, members: ['anna'] };
    await calendarOf(service, times);
    const { typeId } = await calendarOf(service, {
      ...times,
      key: 'yoga',
      type: 'class',
      types: [{ key: 'yoga', name: 'Yoga', slug: 'yoga', duration: 60, seats: 8 }],
    });
    const { classes } = await read(service, '/schedule?date=2027-01-04');
    expect(classes).toEqual([{ appointmentTypeId: typeId, name: 'Yoga', seats: 8 }]);
  });

  test('is refused for more than 31 days', async ({ service }) => {
    const { call } = await signInAs(service, 'viewer');
    const line = 'GET /console/api/v1/calendars/schedule?date=2027-01-01&endDate=2027-02-01';
    expect((await call(line)).status).toBe(400);
  });
});

const at7 = (service: TestService, time: string) => iso(at(service, 7, time));

describe('the slots of a move', () => {
  test('count the own time as free, and other appointments as taken', async ({ service }) => {
    const { typeId } = await calendarOf(service, {
      hours: {},
      overrides: [{ date: dayFromNow(service, 3), hours: ['09:00-11:00'] }],
    });
    const [first, second] = [at(service, 3, '09:00'), at(service, 3, '09:30')];
    const { id } = await bookedOf(service, bookingOf(typeId, first));
    await bookedOf(service, bookingOf(typeId, second));
    const slots = await read(service, `/appointments/${id}/slots?date=${dayFromNow(service, 3)}`);
    expect(slots.map(({ startTime }: { startTime: number }) => startTime)).toEqual([
      first,
      at(service, 3, '10:00'),
      at(service, 3, '10:30'),
    ]);
  });

  test('a refused start is explained in words, with the own time free', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const [own, other] = [at(service, 3, '09:00'), at(service, 3, '10:00')];
    const { id } = await bookedOf(service, bookingOf(typeId, own));
    await bookedOf(service, bookingOf(typeId, other));
    const { call } = await signInAs(service, 'viewer');
    const why = async (start: number) =>
      (await call(`GET /console/api/v1/why?kind=slot&id=${id}&start=${iso(start)}`)).body.data;
    expect(await why(own)).toMatchObject({ happened: true });
    const refused = await why(other);
    expect(refused).toMatchObject({ happened: false, reasons: [{ rule: 'slot_unavailable' }] });
    expect(refused.reasons[0].sentence).toContain('Anna Weber is busy 10:00–10:30');
    const unknown = await call(
      `GET /console/api/v1/why?kind=slot&id=${crypto.randomUUID()}&start=${iso(own)}`,
    );
    expect(unknown.status).toBe(404);
  });

  test('a move fires its event and no other', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const start = at(service, 3, '09:00');
    const { id } = await bookedOf(service, bookingOf(typeId, start));
    const { call } = await signInAs(service, 'agent');
    await service.events();
    const to = start + 60 * 60_000;
    const moved = await call(`POST /console/api/v1/calendars/appointments/${id}/reschedule`, {
      body: { startTime: to, endTime: to + 30 * 60_000 },
    });
    expect(moved.status).toBe(200);
    expect((await service.events()).map(({ name }) => name)).toEqual(['appointment.rescheduled']);
  });
});
