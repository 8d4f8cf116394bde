import { describe, expect, test } from 'vitest';
import { laneOf, laneOfTaken } from '../../web/console/calendar/day-grid.ts';

const at = (time: string) => `2026-11-27T${time}:00.000Z`;
const appointment = (assignedTo: string, from: string, until: string) => ({
  assignedTo,
  startTime: at(from),
  endTime: at(until),
});
const taken = (kind: 'buffer' | 'busy', memberId: string, from: string, until: string) => ({
  kind,
  memberId,
  startTime: at(from),
  endTime: at(until),
});

const MEMBERS = ['anna', 'ben', 'cleo'].map((id) => ({ id, name: id }));
/** Anna and Ben at the same time; later Ben alone. */
const placed = laneOf([
  appointment('anna', '09:00', '10:00'),
  appointment('ben', '09:30', '10:00'),
  appointment('ben', '12:00', '13:00'),
]);

describe('taken time of a column', () => {
  test.for([
    ['anna', '10:00', '10:15', 0, 1 / 2],
    ['anna', '08:45', '09:00', 0, 1 / 2],
    ['ben', '10:00', '10:15', 1 / 2, 1 / 2],
    // Alone at this time: as wide as the appointment.
    ['ben', '13:00', '13:15', 0, 1],
  ] as const)(
    'that is a buffer of %s, %s to %s, is beside its appointment',
    ([member, from, until, left, width]) => {
      const span = taken('buffer', member, from, until);
      expect(laneOfTaken(span, MEMBERS, placed)).toEqual({ left, width });
    },
  );

  test('of other kinds is in the lane of its member', () => {
    const busy = taken('busy', 'ben', '10:00', '10:15');
    expect(laneOfTaken(busy, MEMBERS, placed)).toEqual({ left: 1 / 3, width: 1 / 3 });
    // The appointment of this buffer is not shown in the column.
    const foreign = taken('buffer', 'cleo', '10:00', '10:15');
    expect(laneOfTaken(foreign, MEMBERS, placed)).toEqual({ left: 2 / 3, width: 1 / 3 });
    expect(laneOfTaken(busy, [], [])).toEqual({ left: 0, width: 1 });
  });
});
