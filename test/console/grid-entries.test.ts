import { expect, test } from 'vitest';
import type { Appointment } from '../../sdk/src/generated/appointments.ts';
import { gridEntries } from '../../web/console/calendar/grid-entries.ts';

const YOGA = { appointmentTypeId: 'yoga', name: 'Yoga', seats: 8 };

const seat = (id: string, over: Partial<Appointment> = {}): Appointment => ({
  id,
  calendarId: 'calendar',
  appointmentTypeId: 'yoga',
  contactId: null,
  title: null,
  startTime: '2027-01-04T10:00:00.000Z',
  endTime: '2027-01-04T11:00:00.000Z',
  status: 'scheduled',
  assignedTo: 'anna',
  notes: null,
  createdAt: '2026-12-01T00:00:00.000Z',
  contact: null,
  updatedAt: '2026-12-01T00:00:00.000Z',
  cancelReason: null,
  partOfSeries: false,
  ...over,
});

const idsOf = (appointments: readonly Appointment[]) =>
  gridEntries(appointments, [YOGA]).map((entry) => entry.appointments.map(({ id }) => id));

test('the seats of one start of a class share a card', () => {
  const [entry] = gridEntries([seat('a'), seat('b')], [YOGA]);
  expect(entry).toMatchObject({ assignedTo: 'anna', ofClass: YOGA });
  expect(entry?.appointments.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('another start, member or type has a card of its own', () => {
  const later = { startTime: '2027-01-04T11:00:00.000Z', endTime: '2027-01-04T12:00:00.000Z' };
  const all = [
    seat('a'),
    seat('b', later),
    seat('c', { assignedTo: 'ben' }),
    seat('d', { appointmentTypeId: 'check-up' }),
    seat('e', { appointmentTypeId: 'check-up' }),
    seat('f', { appointmentTypeId: null }),
  ];
  expect(idsOf(all)).toEqual([['a'], ['b'], ['c'], ['d'], ['e'], ['f']]);
  expect(gridEntries(all.slice(3), [YOGA]).map(({ ofClass }) => ofClass)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
