import ical, { ICalEventStatus } from 'ical-generator';
import { describe, expect, test } from 'vitest';
import { customerIcs, feedIcs } from '../../../src/booking/feeds/appointment-ics.ts';
import { cyclesDuring } from '../../support/cycles.ts';

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
    const ics = await feedIcs('a', { name: `${NAME}; Back, Neck\\`, entries: [] });
    expect(linesOf(ics).filter((line) => line.startsWith('X-FORGED'))).toEqual([]);
    expect(ics).toMatch(/^NAME:Ada X-FORGED:1 .*\\; Back\\, Neck\\\\\r$/m);
  });

  test('has neither lines nor control characters of other names', async () => {
    const entries = [{ ...appointment, title: NAME, isConfirmed: true }];
    const feed = await feedIcs('a', { name: 'Feed', entries });
    const customer = { title: NAME, isCancelled: false, url: 'https://x.example/', host: NAME };
    const file = await customerIcs([{ ...appointment, ...customer, location: NAME }]);
    for (const ics of [feed, file]) {
      expect(linesOf(ics).filter((line) => line.startsWith('X-FORGED'))).toEqual([]);
      expect(ics).not.toMatch(/[^\P{Cc}\r\n]/u);
    }
  });

  test('is what the library writes in one piece, with long lines and other scripts', async () => {
    const title = `${'Zahnreinigung; groß, '.repeat(6)}\n歯のクリーニング${'🦷'.repeat(30)}`;
    const entries = Array.from({ length: 3 }, (_, n) => ({
      ...appointment,
      id: `${appointment.id}${n}`,
      title: `${title}${n}`,
      isConfirmed: n > 0,
    }));
    const name = 'Prüfung '.repeat(20).trim();
    const whole = ical({
      prodId: { company: 'Frontdesk', product: 'Feed', language: 'EN' },
      name,
      ttl: 300,
      events: entries.map(({ id, title: summary, start, end, isConfirmed }) => ({
        id: `${id}@frontdesk`,
        sequence: 0,
        stamp: at,
        start,
        end,
        summary,
        status: ICalEventStatus[isConfirmed ? 'CONFIRMED' : 'TENTATIVE'],
      })),
    });
    const feed = await feedIcs('a', { name, entries });
    expect(feed).toBe(`${whole.toString()}\r\n`);
  });

  test('lets other work run while a large one is written', async () => {
    const entries = Array.from({ length: 5_000 }, (_, n) => ({
      ...appointment,
      title: `Check-up: Adä Lovelace ${n}`,
      isConfirmed: true,
    }));
    await feedIcs('a', { name: 'Feed', entries: [] });
    expect(await cyclesDuring(feedIcs('a', { name: 'Feed', entries }))).toBeGreaterThan(4);
  });
});
