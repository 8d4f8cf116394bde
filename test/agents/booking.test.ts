import { at, calendarOf } from '../support/calendars.ts';
import { describe, expect, test } from '../support/service.ts';
import { connectAgent } from './agents.support.ts';

describe('a booking assistant', () => {
  test('finds times, books one, and gets the next free times of a taken one', async ({
    service,
  }) => {
    const { typeId } = await calendarOf(service);
    const { call } = await connectAgent(service.url, service.keys.full);
    const startTime = at(service, 2, '10:00');
    const date = new Date(startTime).toISOString().slice(0, 10);
    expect((await call('find_times')).content.data).toHaveLength(1);
    const free = await call('find_times', { appointmentTypeId: typeId, date });
    const slot = free.content.data.find((one: any) => one.startTime === startTime);
    const given = { appointmentTypeId: typeId, startTime, endTime: slot.endTime };
    const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
    const booked = await call('book_appointment', { ...given, ...ada });
    expect(booked.content.data).toMatchObject({
      status: 'scheduled',
      startTimeLocal: expect.stringMatching(/\d\d:\d\d \(.+\)$/),
    });
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
    const taken = await call('book_appointment', { ...given, ...ada, email: 'ben@example.com' });
    expect(taken.content.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      next: expect.stringContaining('details.alternatives'),
      details: { reason: 'slot_unavailable' },
    });
    expect(taken.content.error.details.alternatives).toHaveLength(3);
    const again = await call('book_appointment', { ...given, ...ada });
    expect(again.content.repeated).toBe(true);
    const cancelled = await call('cancel_appointment', { appointmentId: booked.content.data.id });
    expect(cancelled.isError).toBe(false);
    const rebooked = await call('book_appointment', { ...given, ...ada });
    expect(rebooked.content.repeated).toBeUndefined();
    expect(rebooked.content.data.id).not.toBe(booked.content.data.id);
  });
});
