import {
  always,
  at,
  availability,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

describe('the team member that a booking asks for', () => {
  const two = { type: 'round-robin', members: ['anna', 'ben'] };
  const startsOf = async (service: TestService, query: object): Promise<string[]> => {
    const date = dayFromNow(service, 1);
    const { body } = await availability(service, { date, ...query });
    return body.data.map(({ start }: { start: string }) => start.slice(11, 16));
  };

  test('takes the appointment although another one has fewer, and no other member does if they are busy', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, two);
    const { anna, ben } = team;
    const wanted = (time: string, assignedTo = anna) =>
      bookingOf(typeId, at(service, 1, time), { assignedTo });
    expect((await bookedOf(service, wanted('09:00'))).assignedTo).toBe(anna);
    const second = await book(service, wanted('10:00'));
    expect(second.body.data.assignedTo).toBe(anna);
    expect((await service.events()).map(({ name }) => name)).toEqual([
      'contact.created',
      'appointment.booked',
    ]);

    const refused = await book(service, wanted('09:00'));
    expect([refused.status, reasonOf(refused)]).toEqual([400, 'slot_unavailable']);
    // Ben is free at nine and at ten, but is not asked for.
    expect(refused.body.error.details.alternatives.map((one: any) => one.startTime)).toEqual(
      ['09:30', '10:30', '11:00'].map((time) => at(service, 1, time)),
    );
    expect(await service.events()).toEqual([]);
    expect((await bookedOf(service, wanted('09:00', ben))).assignedTo).toBe(ben);
  });

  test('who is no member of the calendar takes nothing: no slots, and no booking', async ({
    service,
  }) => {
    const { typeId, team } = await calendarOf(service, two);
    for (const assignedTo of [team['cleo'], crypto.randomUUID()]) {
      expect(await startsOf(service, { appointmentTypeId: typeId, assignedTo })).toEqual([]);
      const body = bookingOf(typeId, at(service, 1, '09:00'), { assignedTo });
      expect(reasonOf(await book(service, body))).toBe('slot_unavailable');
    }
    expect(await service.events()).toEqual([]);
  });

  test('is no calendar, not even one without members', async ({ service }) => {
    const { typeId, calendarId } = await calendarOf(service, { members: [] });
    const body = bookingOf(typeId, at(service, 1, '09:00'));
    expect(reasonOf(await book(service, { ...body, assignedTo: calendarId }))).toBe(
      'slot_unavailable',
    );
    const { id } = await bookedOf(service, body);
    const { startTime, endTime } = body;
    const moved = await service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, {
      body: { startTime, endTime, assignedTo: calendarId },
    });
    expect(reasonOf(moved)).toBe('slot_unavailable');
    expect(await service.events()).toEqual([]);
  });

  test('has the slots of their own hours and bookings', async ({ service }) => {
    const members = [{ member: 'anna', hours: always('09:00-10:30') }, 'ben'];
    const { typeId, team } = await calendarOf(service, { ...two, members });
    const { anna, ben } = team;
    await bookedOf(service, bookingOf(typeId, at(service, 1, '09:30'), { assignedTo: anna }));
    const of = (assignedTo: string | undefined) =>
      startsOf(service, { appointmentTypeId: typeId, assignedTo });
    expect(await of(anna)).toEqual(['09:00', '10:00']);
    expect(await of(ben)).toHaveLength(48);
  });

  test('of 20 bookings of one slot at once, one is made', async ({ service }) => {
    const { typeId, team } = await calendarOf(service, two);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        book(service, bookingOf(typeId, at(service, 1, '09:00'), { assignedTo: team['ben'] })),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await bookedOf(service, bookingOf(typeId, at(service, 1, '09:00')))).toMatchObject({
      assignedTo: team['anna'],
    });
  });

  test('gives a class unless another one gives it', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 3 }];
    const { typeId, team } = await calendarOf(service, { ...two, type: 'class', types });
    const seat = (assignedTo: string | undefined) =>
      book(service, bookingOf(typeId, at(service, 1, '09:00'), { assignedTo }));
    expect((await seat(team['ben'])).body.data.assignedTo).toBe(team['ben']);
    expect(reasonOf(await seat(team['anna']))).toBe('slot_unavailable');
    expect((await seat(undefined)).body.data.assignedTo).toBe(team['ben']);
  });

  test('is one of all who are needed in a collective calendar', async ({ service }) => {
    const { typeId, team } = await calendarOf(service, { ...two, type: 'collective' });
    const wanted = (assignedTo: string | undefined, time: string) =>
      book(service, bookingOf(typeId, at(service, 1, time), { assignedTo }));
    expect((await wanted(team['ben'], '09:00')).status).toBe(201);
    expect(reasonOf(await wanted(team['ben'], '09:00'))).toBe('slot_unavailable');
    expect(reasonOf(await wanted(team['cleo'], '10:00'))).toBe('slot_unavailable');
  });

  test('is one of those that the list of types names, if there is a choice', async ({
    service,
  }) => {
    const { team } = await calendarOf(service, two);
    const names = async () => {
      const { body } = await service.call('GET /api/v1/calendars/types');
      return body.data.map((one: any) => one.members);
    };
    expect(await names()).toEqual([
      [
        { id: team['anna'], key: 'anna', name: 'Anna Weber' },
        { id: team['ben'], key: 'ben', name: 'Ben Krause' },
      ],
    ]);
    for (const none of [{ type: 'collective' }, { type: 'personal', members: ['anna'] }]) {
      await calendarOf(service, { ...two, ...none });
      expect(await names()).toEqual([[]]);
    }
  });

  test('is no choice of visitors', async ({ service }) => {
    const { typeId, team } = await calendarOf(service, two);
    const { subAccountId } = service;
    const body = {
      subAccountId,
      ...bookingOf(typeId, at(service, 1, '09:00'), { assignedTo: team['ben'] }),
    };
    const booked = await service.call('POST /api/booking/appointments', { key: null, body });
    expect(booked.status).toBe(400);
    expect(booked.body.error.details).toMatchObject({ issues: [{ path: '/assignedTo' }] });
  });
});
