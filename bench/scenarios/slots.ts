import type { Block, CalendarKind, Schedule, Window } from '../../src/calendars/schedule.ts';
import { slotLabel } from '../../src/calendars/slots/slot-label.ts';
import { slotsOf } from '../../src/calendars/slots/slots-of.ts';
import { median, percentile } from '../statistics.ts';
import type { Finding, Scenario } from '../scenario.ts';

const RUNS = 200;
const WARM_UP = 20;
const AT_MOST_MS = 50;
const MEMBERS = 10;
const BOOKINGS = 2_000;
const MINUTE_MS = 60_000;

const FROM = '2026-10-10';
const TO = '2026-11-09';
const NOW = Date.parse('2026-10-01T00:00:00Z');
const TIMEZONE = 'Europe/Berlin';

/**
 * The computing time of a month's availability that contains a clock change, without database and
 * HTTP.
 */
export const slots: Scenario = {
  name: 'slots',
  measure() {
    const findings = [
      timed('collective', BOOKINGS),
      timed('round-robin', BOOKINGS),
      timed('class', BOOKINGS),
      timed('round-robin', BOOKINGS * 10),
    ];
    return Promise.resolve(findings);
  },
};

function timed(kind: CalendarKind, bookings: number): Finding {
  const schedule = scheduleOf(kind);
  const type = { id: 'type', duration: 30, seats: 12 };
  const taken = { blocks: blocksOf(bookings), perDate: new Map<string, number>() };
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const startedAt = performance.now();
    const offered = slotsOf(schedule, type, taken, { from: FROM, to: TO, now: NOW });
    JSON.stringify(offered.map((one) => [one, slotLabel(one.start, TIMEZONE, 'en-GB')]));
    times.push(performance.now() - startedAt);
  }
  const warm = times.slice(WARM_UP);
  return {
    what: `31 days of a ${kind} calendar, ${MEMBERS} members, ${bookings} bookings`,
    unit: 'ms',
    product: median(warm),
    p99Ms: percentile(warm, 99),
    bound: { atMost: AT_MOST_MS },
  };
}

function scheduleOf(kind: CalendarKind): Schedule {
  const day: readonly Window[] = [
    [480, 720],
    [780, 1_080],
  ];
  return {
    kind,
    timezone: TIMEZONE,
    hours: { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day },
    overrides: [{ date: '2026-11-01', hours: [] }],
    slotInterval: 15,
    bufferBefore: 5,
    bufferAfter: 10,
    minimumNotice: 120,
    maximumAdvance: 60,
    maxPerDay: 500,
    members: Array.from({ length: MEMBERS }, (_, n) => ({ memberId: `member ${n}` })),
  };
}

/**
 * Half-hour bookings spread over the month, unordered; collective calendars have few free times.
 */
function blocksOf(bookings: number): Block[] {
  const first = Date.parse(`${FROM}T06:00:00Z`);
  return Array.from({ length: bookings }, (_, n) => {
    const from = first + ((n * 7_919) % (31 * 96)) * 15 * MINUTE_MS;
    return { memberId: `member ${n % MEMBERS}`, from, until: from + 30 * MINUTE_MS };
  });
}
