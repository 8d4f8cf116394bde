import {
  at,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { signInAs } from '../../support/people.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

describe('assigning an appointment', () => {
  const three = { members: ['anna', 'ben', 'cleo'] };
  const assigned = async (service: TestService, typeId: string, time: string, days = 1) =>
    (await bookedOf(service, bookingOf(typeId, at(service, days, time)))).assignedTo;

  test('a round-robin takes the free member with the fewest upcoming appointments, then the longest wait', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, { ...three, type: 'round-robin' });
    const { anna, ben, cleo } = team;
    const given = [];
    for (const time of ['09:00', '09:00', '10:00', '10:00', '09:00', '11:00']) {
      given.push(await assigned(service, typeId, time));
    }
    // At the fifth booking anna has two and the others one: it goes to cleo, the only member free at nine.
    expect(given).toEqual([anna, ben, cleo, anna, cleo, ben]);
  });

  test('a round-robin counts this calendar only, and no cancelled appointments', async ({
    service,
  }) => {
    const other = await calendarOf(service, {
      key: 'other',
      types: [{ key: 'o', name: 'O', duration: 30 }],
    });
    for (const time of ['01:00', '02:00', '03:00']) {
      await assigned(service, other.typeId, time);
    }
    const { typeId, team } = await calendarOf(service, { ...three, type: 'round-robin' });
    const { id } = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    await service.call(`DELETE /api/v1/calendars/appointments/${id}`);
    expect(await assigned(service, typeId, '09:00')).toBe(team['ben']);
    expect(await assigned(service, typeId, '10:00')).toBe(team['cleo']);
    expect(await assigned(service, typeId, '11:00')).toBe(team['anna']);
  });

  test('a move keeps the member who is free, or gives the appointment to the named one', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, { ...three, type: 'round-robin' });
    const { anna, ben, cleo } = team;
    const { id } = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    const move = async (time: string, more: object = {}) => {
      const startTime = at(service, 1, time);
      const body = { startTime, endTime: startTime + 30 * 60_000, ...more };
      return service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, { body });
    };
    expect((await move('10:00')).body.data.assignedTo).toBe(anna);
    expect((await move('11:00', { assignedTo: cleo })).body.data.assignedTo).toBe(cleo);
    expect(await assigned(service, typeId, '12:00')).toBe(anna);
    expect(await assigned(service, typeId, '12:00')).toBe(ben);
    const refused = await move('12:00', { assignedTo: ben });
    expect([refused.status, reasonOf(refused)]).toEqual([400, 'slot_unavailable']);
    expect((await move('12:00')).body.data.assignedTo).toBe(cleo);
  });

  test('a move to the same times changes the member alone, if it names a free one', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, { ...three, type: 'round-robin' });
    const { anna, ben, cleo } = team;
    const { id, startTime, endTime } = await bookedOf(
      service,
      bookingOf(typeId, at(service, 1, '09:00')),
    );
    const times = { startTime: Date.parse(startTime), endTime: Date.parse(endTime) };
    const give = (more: object) =>
      service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, {
        body: { ...times, ...more },
      });
    await assigned(service, typeId, '09:00');
    expect(reasonOf(await give({ assignedTo: ben }))).toBe('slot_unavailable');
    expect((await give({ assignedTo: anna })).body.data.assignedTo).toBe(anna);
    expect((await give({})).body.data.assignedTo).toBe(anna);
    expect(await service.events()).toEqual([]);
    expect((await give({ assignedTo: cleo })).body.data).toMatchObject({
      assignedTo: cleo,
      startTime,
    });
    expect(await service.events()).toEqual([
      {
        name: 'appointment.rescheduled',
        contactId: expect.any(String),
        data: { appointmentId: id, ...times, status: 'scheduled' },
      },
    ]);
  });

  test('the notice that bookings need does not matter to a move to the same times', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, { ...three, type: 'round-robin' });
    const { id, startTime } = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    await calendarOf(service, { ...three, type: 'round-robin', minimumNotice: 10_000 });
    const move = (time: number, assignedTo = team['ben']) =>
      service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, {
        body: { startTime: time, endTime: time + 30 * 60_000, assignedTo },
      });
    expect(reasonOf(await move(at(service, 1, '10:00')))).toBe('too_soon');
    expect((await move(Date.parse(startTime))).body.data.assignedTo).toBe(team['ben']);
    const admin = await signInAs(service, 'admin');
    const query = new URLSearchParams({
      date: dayFromNow(service, 1),
      assignedTo: team['cleo'] ?? '',
    });
    const slots = await admin.call(
      `GET /console/api/v1/calendars/appointments/${id}/slots?${query.toString()}`,
    );
    expect(slots.body.data.map(({ start }: { start: string }) => start)).toEqual([startTime]);
    await service.database.rows(
      `update appointments set start_time = start_time - interval '30 days',
         end_time = end_time - interval '30 days' where id = $1`,
      [id],
    );
    const past = Date.parse(startTime) - 30 * 86_400_000;
    expect(reasonOf(await move(past, team['cleo']))).toBe('slot_in_past');
  });

  test('a move to the same times changes nothing where all members have the appointment', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, { ...three, type: 'collective' });
    const booked = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    const times = {
      startTime: Date.parse(booked.startTime),
      endTime: Date.parse(booked.endTime),
    };
    const give = (assignedTo: string | undefined) =>
      service.call(`POST /api/v1/calendars/appointments/${booked.id}/reschedule`, {
        body: { ...times, assignedTo },
      });
    expect((await give(team['ben'])).body.data).toEqual(booked);
    expect((await give(crypto.randomUUID())).status).toBe(400);
    expect(await service.events()).toEqual([]);
  });

  test('a move that names a person who is no member of the calendar is refused', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, {});
    const { id } = await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')));
    const startTime = at(service, 1, '10:00');
    const times = { startTime, endTime: startTime + 30 * 60_000 };
    const move = (more: object) =>
      service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, {
        body: { ...times, ...more },
      });
    const refused = await move({ assignedTo: crypto.randomUUID() });
    expect([refused.status, reasonOf(refused)]).toEqual([400, 'slot_unavailable']);
    expect((await move({})).status).toBe(200);
  });

  test('a collective calendar takes all members, and is closed while one of them is busy', async ({
    service,
  }) => {
    const bens = await calendarOf(service, {
      key: 'bens',
      members: ['ben'],
      types: [{ key: 'b', name: 'B', duration: 30 }],
    });
    const { typeId, team } = await calendarOf(service, { ...three, type: 'collective' });
    await assigned(service, bens.typeId, '09:00');
    expect(reasonOf(await book(service, bookingOf(typeId, at(service, 1, '09:00'))))).toBe(
      'slot_unavailable',
    );
    expect(await assigned(service, typeId, '10:00')).toBe(team['anna']);
    expect(reasonOf(await book(service, bookingOf(bens.typeId, at(service, 1, '10:00'))))).toBe(
      'slot_unavailable',
    );
  });

  test('one member gives all seats of a class, and no other class at that time', async ({
    service,
  }) => {
    const types = [
      { key: 'yoga', name: 'Yoga', duration: 60, seats: 3 },
      { key: 'spin', name: 'Spin', duration: 60, seats: 3 },
    ];
    const calendar = { type: 'class', members: ['anna', 'ben'], slotInterval: 30, types };
    const { types: ids, team } = await calendarOf(service, calendar);
    const hour = { endTime: at(service, 1, '10:00') };
    const seat = async (key: string, time: string, more: object = hour) =>
      book(service, bookingOf(ids[key] ?? '', at(service, 1, time), more));
    const givers = [];
    for (const key of ['yoga', 'yoga', 'spin', 'spin', 'yoga']) {
      givers.push((await seat(key, '09:00')).body.data.assignedTo);
    }
    const { anna, ben } = team;
    expect(givers).toEqual([anna, anna, ben, ben, anna]);
    expect(reasonOf(await seat('yoga', '09:00'))).toBe('slot_unavailable');
    const later = { endTime: at(service, 1, '10:30') };
    expect(reasonOf(await seat('yoga', '09:30', later))).toBe('slot_unavailable');
  });

  test('a calendar without members assigns none, and its slots still fill up', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service, { members: [] });
    expect(await assigned(service, typeId, '09:00')).toBeNull();
    expect(reasonOf(await book(service, bookingOf(typeId, at(service, 1, '09:00'))))).toBe(
      'slot_unavailable',
    );
  });
});
