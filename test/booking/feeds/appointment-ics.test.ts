import { describe, expect, test } from 'vitest';
import { customerIcs, feedIcs } from '../../../src/booking/feeds/appointment-ics.ts';

const at = new Date('2027-03-01T09:00:00Z');
const appointment = {
  id: '0198c0de-0000-7000-8000-000000000000',
  start: at,
  end: at,
  createdAt: at,
  updatedAt: at,
};
/** A name that would end the line and begin another one. */
const NAME = 'Ada\r\nX-FORGED:1\rX-FORGED:2\nX-FORGED:3\u2028\u0085\u001B[31m\u0007';

const linesOf = (ics: string): string[] => ics.split(/\r\n|[\r\n\u0085\u2028]/);

describe('an iCalendar file', () => {
  test('has no lines that come from the name of its calendar, and escapes it', async () => {
    const ics = await feedIcs(`${NAME}; Back, Neck\\`, []);
    expect(linesOf(ics).filter((line) => line.startsWith('X-FORGED'))).toEqual([]);
    expect(ics).toMatch(/^NAME:Ada X-FORGED:1 .*\\; Back\\, Neck\\\\\r$/m);
  });

  test('has neither lines nor control characters of other names', async () => {
    const feed = await feedIcs('Feed', [{ ...appointment, title: NAME, isConfirmed: true }]);
    const customer = { title: NAME, isCancelled: false, url: 'https://x.example/', host: NAME };
    const file = await customerIcs([{ ...appointment, ...customer, location: NAME }]);
    for (const ics of [feed, file]) {
      expect(linesOf(ics).filter((line) => line.startsWith('X-FORGED'))).toEqual([]);
      expect(ics).not.toMatch(/[^\P{Cc}\r\n]/u);
    }
  });
});
