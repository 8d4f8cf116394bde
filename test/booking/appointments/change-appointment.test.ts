import {
  at,
  availability,
  book,
  bookedOf,
  bookingOf,
  calendarOf,
  CHECKUP,
  dayFromNow,
  reasonOf,
} from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const DAY_MS = 86_400_000;

const setStatus = ({ call }: TestService, id: string, status: string) =>
  call(`PATCH /api/v1/calendars/appointments/${id}`, { body: { status } });

const move = ({ call }: TestService, id: string, startTime: number, minutes = 30) =>
  call(`POST /api/v1/calendars/appointments/${id}/reschedule`, {
    body: { startTime, endTime: startTime + minutes * 60_000 },
  });

const cancel = ({ call }: TestService, id: string, query = '') =>
  call(`DELETE /api/v1/calendars/appointments/${id}${query}`);

const read = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/calendars/appointments/${id}`)).body.data;

/** At nine tomorrow. */
async function oneOf(service: TestService, more: object = {}) {
  const setup = await calendarOf(service, more);
  const startTime = at(service, 1, '09:00');
  const booked = await bookedOf(service, bookingOf(setup.typeId, startTime));
  return { ...setup, ...booked, startTime };
}

const isFree = async (service: TestService, typeId: string, startTime: number) => {
  const date = new Date(startTime).toISOString().slice(0, 10);
  const { body } = await availability(service, { appointmentTypeId: typeId, date });
  return body.data.some((slot: any) => slot.startTime === startTime);
};

describe('PATCH of an appointment', () => {
  test('confirms it and fires only appointment.confirmed; repeating it fires nothing', async ({
    service,
  }) => {
    const { id, contactId } = await oneOf(service);
    const { status, body } = await setStatus(service, id, 'confirmed');
    expect([status, body.data.status]).toEqual([200, 'confirmed']);
    expect(await service.events()).toEqual([
      {
        name: 'appointment.confirmed',
        contactId,
        data: { appointmentId: id, status: 'confirmed' },
      },
    ]);
    expect((await setStatus(service, id, 'confirmed')).body).toEqual(body);
    expect(await service.events()).toEqual([]);
  });

  test('sets an outcome after the start, and can change it later', async ({ service }) => {
    const { id } = await oneOf(service);
    for (const status of ['completed', 'no_show']) {
      const early = await setStatus(service, id, status);
      expect([early.status, reasonOf(early)]).toEqual([400, 'invalid_transition']);
    }
    service.clock.advance(2 * DAY_MS);
    for (const status of ['completed', 'no_show', 'completed']) {
      expect((await setStatus(service, id, status)).body.data.status).toBe(status);
    }
    expect(await service.eventNames()).toEqual([
      'appointment.completed',
      'appointment.no_show',
      'appointment.completed',
    ]);
    for (const status of ['scheduled', 'confirmed', 'cancelled']) {
      expect(reasonOf(await setStatus(service, id, status))).toBe('invalid_transition');
    }
    expect(await service.events()).toEqual([]);
  });

  test('cancels it for good and frees the slot', async ({ service }) => {
    const { id, typeId, startTime, contactId } = await oneOf(service);
    expect((await setStatus(service, id, 'cancelled')).body.data.status).toBe('cancelled');
    expect(await service.events()).toEqual([
      {
        name: 'appointment.cancelled',
        contactId,
        data: { appointmentId: id, status: 'cancelled' },
      },
    ]);
    expect(await isFree(service, typeId, startTime)).toBe(true);
    for (const status of ['scheduled', 'confirmed', 'completed', 'no_show']) {
      expect(reasonOf(await setStatus(service, id, status))).toBe('invalid_transition');
    }
    expect((await setStatus(service, id, 'cancelled')).status).toBe(200);
    expect(await service.events()).toEqual([]);
  });
});

describe('DELETE of an appointment', () => {
  test('cancels it with a reason; a second call returns the same and fires nothing', async ({
    service,
  }) => {
    const { id, typeId, startTime } = await oneOf(service);
    const first = await cancel(service, id, '?reason=holiday');
    expect([first.status, first.body]).toEqual([200, { data: { id, cancelled: true } }]);
    expect(await service.eventNames()).toEqual(['appointment.cancelled']);
    const second = await cancel(service, id, '?reason=other');
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await service.events()).toEqual([]);
    expect(await read(service, id)).toMatchObject({ status: 'cancelled', cancelReason: 'holiday' });
    expect(await isFree(service, typeId, startTime)).toBe(true);
  });

  test('cancels a completed appointment too', async ({ service }) => {
    const { id } = await oneOf(service);
    service.clock.advance(2 * DAY_MS);
    await setStatus(service, id, 'completed');
    expect((await cancel(service, id)).status).toBe(200);
    expect((await read(service, id)).status).toBe('cancelled');
  });
});

describe('POST …/reschedule', () => {
  test('moves it, frees the old slot and fires only appointment.rescheduled', async ({
    service,
  }) => {
    const { id, typeId, startTime, contactId } = await oneOf(service);
    const later = at(service, 2, '10:00');
    const { status, body } = await move(service, id, later);
    expect([status, body.data]).toMatchObject([
      200,
      { id, startTime: new Date(later).toISOString(), status: 'scheduled' },
    ]);
    expect(await service.events()).toEqual([
      {
        name: 'appointment.rescheduled',
        contactId,
        data: {
          appointmentId: id,
          startTime: later,
          endTime: later + 1_800_000,
          status: 'scheduled',
        },
      },
    ]);
    expect(await isFree(service, typeId, startTime)).toBe(true);
    expect(await isFree(service, typeId, later)).toBe(false);
  });

  test('to the same times changes nothing; a move into its own buffers is allowed', async ({
    service,
  }) => {
    const { id, startTime } = await oneOf(service, {
      buffers: { before: 30, after: 30 },
      slotInterval: 10,
    });
    expect((await move(service, id, startTime)).status).toBe(200);
    expect(await service.events()).toEqual([]);
    expect((await move(service, id, startTime + 600_000)).status).toBe(200);
    expect(await service.eventNames()).toEqual(['appointment.rescheduled']);
  });

  test('is refused like a booking, and changes nothing', async ({ service }) => {
    const { id, typeId, startTime } = await oneOf(service, { minimumNotice: 60 });
    const taken = at(service, 2, '10:00');
    await bookedOf(service, bookingOf(typeId, taken));
    for (const [start, minutes, reason] of [
      [taken, 30, 'slot_unavailable'],
      [taken + 3_600_000, 45, 'invalid_duration'],
      [at(service, -1, '10:00'), 30, 'slot_in_past'],
      [taken + 60_000, 30, 'slot_unavailable'],
    ] as const) {
      expect(reasonOf(await move(service, id, start, minutes))).toBe(reason);
    }
    expect(await read(service, id)).toMatchObject({ startTime: new Date(startTime).toISOString() });
    expect(await service.events()).toEqual([]);
  });

  test('within a full day is allowed, into a full day is not', async ({ service }) => {
    const { id, typeId } = await oneOf(service, { maxPerDay: 1 });
    expect((await move(service, id, at(service, 1, '15:00'))).status).toBe(200);
    const other = await bookedOf(service, bookingOf(typeId, at(service, 2, '09:00')));
    expect(reasonOf(await move(service, other.id, at(service, 1, '16:00')))).toBe('day_full');
  });

  test('keeps the assignee if free, else assigns another member', async ({ service }) => {
    const { id, typeId, team } = await oneOf(service, {
      type: 'round-robin',
      members: ['anna', 'ben'],
    });
    for (const time of ['10:00', '11:00']) {
      await bookedOf(service, bookingOf(typeId, at(service, 1, time)));
    }
    // Ben has ten o'clock, anna nine and eleven.
    expect((await move(service, id, at(service, 1, '12:00'))).body.data.assignedTo).toBe(
      team['anna'],
    );
    expect((await move(service, id, at(service, 1, '11:00'))).body.data.assignedTo).toBe(
      team['ben'],
    );
  });

  test('moves the seat of a class', async ({ service }) => {
    const types = [{ key: 'yoga', name: 'Yoga', duration: 30, seats: 1 }];
    const { id, typeId, startTime } = await oneOf(service, { type: 'class', types });
    const later = at(service, 1, '12:00');
    expect((await move(service, id, later)).status).toBe(200);
    expect(reasonOf(await book(service, bookingOf(typeId, later)))).toBe('slot_unavailable');
    expect((await book(service, bookingOf(typeId, startTime))).status).toBe(201);
  });

  test('is refused with invalid_transition if it is cancelled or has an outcome', async ({
    service,
  }) => {
    const { id, typeId } = await oneOf(service);
    const done = await bookedOf(service, bookingOf(typeId, at(service, 1, '10:00')));
    await cancel(service, id);
    service.clock.advance(2 * DAY_MS);
    await setStatus(service, done.id, 'completed');
    await service.events();
    const later = at(service, 3, '09:00');
    expect(reasonOf(await move(service, id, later))).toBe('invalid_transition');
    expect(reasonOf(await move(service, done.id, later))).toBe('invalid_transition');
    expect(await service.events()).toEqual([]);
  });

  test('works for a type that is inactive by now', async ({ service }) => {
    const { id } = await oneOf(service);
    await calendarOf(service, { types: [{ ...CHECKUP.types[0], active: false }] });
    expect((await move(service, id, at(service, 2, '09:00'))).status).toBe(200);
    expect(dayFromNow(service, 2)).toBe((await read(service, id)).startTime.slice(0, 10));
  });
});
