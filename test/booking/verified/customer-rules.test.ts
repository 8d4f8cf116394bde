import { describe, expect, test } from 'vitest';
import { customerMay, customerReason } from '../../../src/booking/verified/customer-appointment.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE_MS = 60_000;
const RULES = { allowCustomerReschedule: true, cancelNotice: 0, rescheduleNotice: 0 };

const appointment = (minutesAhead: number, rules: Partial<typeof RULES> = {}, more = {}) => ({
  startTime: NOW + minutesAhead * MINUTE_MS,
  partOfSeries: false,
  status: 'scheduled' as const,
  rules: { ...RULES, ...rules },
  ...more,
});

describe("reasons against a customer's change", () => {
  test.for([
    ['nothing', appointment(1), undefined, undefined],
    ['once it has started', appointment(0), 'started', 'started'],
    ['of a series at any time', appointment(0, {}, { partOfSeries: true }), 'series', 'series'],
    [
      'if customers may not move',
      appointment(1, { allowCustomerReschedule: false }),
      undefined,
      'reschedule_not_allowed',
    ],
    [
      'if customers may not move, and it has started',
      appointment(-1, { allowCustomerReschedule: false }),
      'started',
      'started',
    ],
    ['a minute within the notice', appointment(59, { cancelNotice: 60 }), 'too_late', undefined],
    ['at the notice itself', appointment(60, { cancelNotice: 60 }), undefined, undefined],
    ['within the other notice', appointment(59, { rescheduleNotice: 60 }), undefined, 'too_late'],
  ] as const)('%s', ([, given, cancel, reschedule]) => {
    expect(customerReason('cancel', given, NOW)).toBe(cancel);
    expect(customerReason('reschedule', given, NOW)).toBe(reschedule);
    expect(customerMay('cancel', given, NOW)).toBe(cancel === undefined);
  });

  test('a customer may not change an appointment that is not live', () => {
    for (const status of ['cancelled', 'completed', 'no_show'] as const) {
      expect(customerMay('cancel', appointment(60, {}, { status }), NOW)).toBe(false);
    }
  });
});
