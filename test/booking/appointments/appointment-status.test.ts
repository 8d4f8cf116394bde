import { expect, test } from 'vitest';
import {
  APPOINTMENT_STATUSES,
  canBecome,
  isLive,
} from '../../../src/booking/appointments/appointment.schema.ts';

/** Every change that is allowed after the start (contract 7). */
const CHANGES = new Set([
  'scheduled confirmed',
  'scheduled completed',
  'scheduled cancelled',
  'scheduled no_show',
  'confirmed completed',
  'confirmed cancelled',
  'confirmed no_show',
  'completed no_show',
  'no_show completed',
]);

const pairs = APPOINTMENT_STATUSES.flatMap((from) =>
  APPOINTMENT_STATUSES.map((to) => [from, to] as const),
);

test.for(pairs)('%s may become %s if the table allows it', ([from, to]) => {
  const isListed = CHANGES.has(`${from} ${to}`);
  const isOutcome = to === 'completed' || to === 'no_show';
  expect(canBecome(from, to, true)).toBe(isListed);
  expect(canBecome(from, to, false)).toBe(isListed && !isOutcome);
});

test('an appointment is live while it is scheduled or confirmed', () => {
  expect(APPOINTMENT_STATUSES.filter(isLive)).toEqual(['scheduled', 'confirmed']);
});
