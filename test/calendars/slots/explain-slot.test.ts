import { describe, expect, test } from 'vitest';
import { explainSlot } from '../../../src/calendars/slots/explain-slot.ts';
import { block, deskOf, everyDay, hour, instant, seat, type Desk } from './desk.ts';

const MONDAY = '2026-11-02';
const at = (time: string) => `${MONDAY}T${time}`;
const members = [{ memberId: 'anna' }, { memberId: 'ben' }];

const explain = ({ schedule, type, busy, now }: Desk, start: string) =>
  explainSlot({
    schedule,
    type,
    busy,
    now,
    start: instant(start, schedule.timezone),
    nameOf: (memberId) => memberId.toUpperCase(),
  });

describe('the figures of a refusal', () => {
  test('are the notice, and who is busy until when', () => {
    const soon = deskOf({ at: '2026-11-02T09:30', minimumNotice: 120 });
    expect(explain(soon, at('10:00')).facts).toEqual({ noticeMinutes: 120 });
    const from = instant(at('10:30'), 'Europe/Berlin');
    const until = instant(at('11:00'), 'Europe/Berlin');
    const busy = deskOf({ blocks: [block('anna', at('10:30'), at('11:00'))] });
    expect(explain(busy, at('10:00')).facts).toEqual({ busy: [{ name: 'ANNA', from, until }] });
  });
});

describe('a time that is held for the waiting list', () => {
  const held = (desk: Desk, ends: string) =>
    explainSlot({
      ...desk,
      start: instant(at('10:00')),
      held: desk.busy.blocks.map((one) => ({ ...one, expiresAt: instant(at(ends)) })),
      nameOf: (memberId) => memberId.toUpperCase(),
    });

  test('is not called busy, and its end is named', () => {
    const { sentence, facts } = held(
      deskOf({ blocks: [block('anna', at('10:00'), at('11:00'))] }),
      '09:30',
    );
    expect(sentence).toBe(
      '10:00–11:00 with ANNA is held for the waiting list until 2026-11-02 09:30, and the slot needs 10:00–11:00.',
    );
    expect(facts.busy).toMatchObject([{ name: 'ANNA', heldUntil: instant(at('09:30')) }]);
  });

  test('is counted among the seats of a class', () => {
    const seats = [seat('anna', at('10:00'), 60), seat('anna', at('10:00'), 60)];
    const { sentence } = held(deskOf({ kind: 'class', seats: 2, blocks: seats }), '09:30');
    expect(sentence).toBe(
      'All seats are taken: 2. Held for the waiting list: 2, until 2026-11-02 09:30.',
    );
  });
});

describe('one sentence names the rule that hides a slot, with its figures', () => {
  test.each([
    [
      { at: '2026-11-02T11:00' },
      '10:00',
      'slot_in_past',
      '2026-11-02 10:00 has passed: it is 2026-11-02 11:00 in Europe/Berlin.',
    ],
    [
      { at: '2026-11-02T09:30', minimumNotice: 120 },
      '10:00',
      'too_soon',
      '2026-11-02 10:00 is 30 minutes from now, and the calendar requires 120 minutes of notice.',
    ],
    [
      { at: '2026-10-30T10:00', maximumAdvance: 2 },
      '10:30',
      'too_far_ahead',
      '2026-11-02 10:30 is 3.1 days from now, and the calendar opens 2 days ahead.',
    ],
    [
      { overrides: [{ date: MONDAY, hours: [] }] },
      '10:00',
      'date_unavailable',
      'An override closes 2026-11-02.',
    ],
    [{ hours: {}, members }, '10:00', 'day_unavailable', 'No hours on Mondays: ANNA, BEN.'],
    [
      { members: [] },
      '10:00',
      'day_unavailable',
      'No hours on Mondays: the calendar has no members.',
    ],
    [
      { hours: everyDay([hour(9), hour(11)], [hour(20), 1_440]) },
      '10:30',
      'outside_hours',
      '10:30–11:30 is outside the opening hours of 2026-11-02: 09:00–11:00, 20:00–24:00 (ANNA).',
    ],
    [
      { maxPerDay: 3, perDate: { [MONDAY]: 4 } },
      '10:00',
      'day_full',
      '2026-11-02 has 4 bookings, and the calendar accepts 3 per day.',
    ],
    [
      { slotInterval: 15 },
      '10:10',
      'slot_unavailable',
      '10:10 is not a start time of ANNA: these are every 15 minutes from 09:00.',
    ],
    [
      { blocks: [block('anna', at('10:55'), at('11:30'))], bufferBefore: 10, bufferAfter: 5 },
      '10:00',
      'slot_unavailable',
      'ANNA is busy 10:55–11:30, and the slot needs 09:50–11:05 with its buffers.',
    ],
    [
      {
        members: [{ memberId: 'anna' }, { memberId: 'ben', hours: everyDay([hour(14), hour(15)]) }],
        blocks: [block('anna', at('10:00'), at('10:30'))],
      },
      '10:00',
      'slot_unavailable',
      'ANNA is busy 10:00–10:30, and the slot needs 10:00–11:00; BEN is not at work.',
    ],
    [
      { kind: 'class', seats: 1, blocks: [seat('anna', at('10:00'), 60)] },
      '10:00',
      'slot_unavailable',
      'All seats are taken: 1.',
    ],
  ] as const)('%o', (given, time, refusal, sentence) => {
    expect(explain(deskOf(given), at(time))).toMatchObject({ refusal, sentence });
  });

  test.each([
    [{ members }, '2026-11-02 10:00 can be booked with ANNA or BEN.'],
    [{ members, kind: 'collective' }, '2026-11-02 10:00 can be booked with ANNA and BEN.'],
    [{ kind: 'class', seats: 3 }, '2026-11-02 10:00 can be booked with ANNA, seats left: 3.'],
  ] as const)('or the members who can take it: %o', (given, sentence) => {
    expect(explain(deskOf(given), at('10:00'))).toMatchObject({ refusal: null, sentence });
  });
});

test('a collective calendar names each member who is off or busy', () => {
  const off = [{ memberId: 'anna' }, { memberId: 'ben', hours: {} }];
  const { sentence } = explain(deskOf({ kind: 'collective', members: off }), at('10:00'));
  expect(sentence).toBe('No hours on Mondays: BEN.');
  const blocks = [block('ben', at('10:00'), at('11:00'))];
  expect(explain(deskOf({ kind: 'collective', members, blocks }), at('10:00')).sentence).toBe(
    'BEN is busy 10:00–11:00, and the slot needs 10:00–11:00.',
  );
});
