import { describe, expect, test } from 'vitest';
import { explainSlot } from '../../../src/calendars/slots/explain-slot.ts';
import {
  block,
  deskOf,
  everyDay,
  hour,
  instant,
  seat,
  slotsOn,
  timesOn,
  judge,
  takersOn,
} from './desk.ts';

const MONDAY = '2026-11-02';
const at = (time: string) => `${MONDAY}T${time}`;

describe('a block', () => {
  test.each([
    ['blocks the slot that it overlaps', ['10:10', '10:20'], {}, '09:00 11:00'],
    ['touches slots without blocking them', ['10:00', '11:00'], {}, '09:00 11:00'],
    ['that ends one minute late blocks the next slot too', ['10:00', '11:01'], {}, '09:00'],
    ['keeps the buffer before a slot free', ['09:00', '10:00'], { bufferBefore: 1 }, '11:00'],
    ['keeps the buffer after a slot free', ['10:00', '11:00'], { bufferAfter: 1 }, '11:00'],
    ['without length blocks nothing', ['10:30', '10:30'], {}, '09:00 10:00 11:00'],
    ['may span days', ['09:59', '23:00'], {}, ''],
  ])('%s', (_, [from = '', until = ''], buffers, times) => {
    const blocks = [block('anna', at(from), at(until))];
    expect(timesOn(deskOf({ blocks, ...buffers }), MONDAY)).toBe(times);
  });

  test('that is long is found behind shorter blocks that start later', () => {
    const blocks = [
      block('anna', '2026-10-20T00:00', at('10:30')),
      block('anna', '2026-10-21T00:00', '2026-10-21T01:00'),
      block('anna', '2026-11-01T00:00', '2026-11-01T01:00'),
    ];
    expect(timesOn(deskOf({ blocks }), MONDAY)).toBe('11:00');
    expect(timesOn(deskOf({ blocks }), '2026-10-25')).toBe('');
  });

  test('of another member blocks nothing', () => {
    const blocks = [block('ben', at('09:00'), at('12:00'))];
    expect(timesOn(deskOf({ blocks }), MONDAY)).toBe('09:00 10:00 11:00');
  });
});

describe('a class', () => {
  const yoga = (...blocks: ReturnType<typeof seat>[]) =>
    deskOf({ kind: 'class', seats: 2, blocks, slotInterval: 30 });
  const seatsOn = (desk: ReturnType<typeof yoga>) =>
    slotsOn(desk, MONDAY).map(({ seatsRemaining }) => seatsRemaining);

  test('is offered while seats are left', () => {
    expect(timesOn(yoga(), MONDAY)).toBe('09:00 09:30 10:00 10:30 11:00');
    expect(seatsOn(yoga())).toEqual([2, 2, 2, 2, 2]);
  });

  test('with seats busy blocks overlapping starts, not its own', () => {
    const desk = yoga(seat('anna', at('10:00'), 60));
    expect(timesOn(desk, MONDAY)).toBe('09:00 10:00 11:00');
    expect(seatsOn(desk)).toEqual([2, 1, 2]);
  });

  test('is not offered when its seats are taken', () => {
    const desk = yoga(seat('anna', at('10:00'), 60), seat('anna', at('10:00'), 60));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
    expect(judge(desk, at('10:00'))).toBe('slot_unavailable');
  });

  test('of another type is an ordinary booking', () => {
    const desk = yoga(seat('anna', at('10:00'), 60, 'pilates'));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
  });

  test("does not conflict with a block that only touches it, whatever the first seat's buffers", () => {
    const early = { ...seat('anna', at('10:00'), 60), from: seat('anna', at('09:50'), 0).from };
    expect(judge(yoga(early, block('anna', at('09:55'), at('10:00'))), at('10:00'))).toBe('anna');
  });

  test('gives no more seats while its member is busy', () => {
    const desk = yoga(seat('anna', at('10:00'), 60), block('anna', at('10:50'), at('10:55')));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
  });

  test('has one seat per start by default', () => {
    const blocks = [seat('anna', at('10:00'), 60)];
    expect(timesOn(deskOf({ kind: 'class', blocks }), MONDAY)).toBe('09:00 11:00');
    expect(slotsOn(deskOf({ kind: 'class' }), MONDAY)[0]?.seatsRemaining).toBe(1);
  });

  test('keeps the member who gives it', () => {
    const members = [{ memberId: 'anna' }, { memberId: 'ben' }];
    const kind = 'class';
    const blocks = [seat('ben', at('10:00'), 60)];
    const desk = deskOf({ kind, members, seats: 3, blocks });
    expect(takersOn(desk, MONDAY)).toEqual(['anna ben', 'ben', 'anna ben']);
    const left = { ...desk, schedule: { ...desk.schedule, members: [{ memberId: 'anna' }] } };
    expect(judge(left, at('10:00'))).toBe('anna');
    expect(slotsOn(left, MONDAY)[1]?.seatsRemaining).toBe(2);
  });
});

describe('the members who can take a slot', () => {
  const members = [{ memberId: 'anna' }, { memberId: 'ben' }];
  const blocks = [block('anna', at('10:00'), at('11:00')), block('ben', at('11:00'), at('12:00'))];
  const takersOf = (kind: 'personal' | 'round-robin' | 'collective') =>
    takersOn(deskOf({ kind, members, blocks }), MONDAY);

  test('of a round-robin: each free member', () => {
    expect(takersOf('round-robin')).toEqual(['anna ben', 'ben', 'anna']);
  });

  test('of a collective calendar: all members, if all are free', () => {
    expect(takersOf('collective')).toEqual(['anna ben']);
  });

  test('of a personal calendar: its first member', () => {
    expect(takersOf('personal')).toEqual(['anna', 'anna']);
  });
});

describe("a member's own hours", () => {
  const own = everyDay([hour(10.5), hour(13)]);
  const members = [{ memberId: 'anna' }, { memberId: 'ben', hours: own }];
  const none = [{ memberId: 'anna' }, { memberId: 'ben', hours: {} }];

  test('have their own grid, and a round-robin offers both', () => {
    expect(timesOn(deskOf({ members }), MONDAY)).toBe('09:00 10:00 10:30 11:00 11:30');
    expect(takersOn(deskOf({ members }), MONDAY)).toEqual(['anna', 'anna', 'ben', 'anna', 'ben']);
  });

  test('are intersected in a collective calendar, whose grid starts when all are present', () => {
    const desk = deskOf({ kind: 'collective', members, duration: 30 });
    expect(timesOn(desk, MONDAY)).toBe('10:30 11:00 11:30');
    expect(judge(desk, at('12:00'))).toBe('outside_hours');
  });

  test('without windows on a day remove only their member from a round-robin', () => {
    expect(timesOn(deskOf({ members: none }), MONDAY)).toBe('09:00 10:00 11:00');
    expect(judge(deskOf({ members: none }), at('09:00'))).toBe('anna');
  });

  test('without windows on a day close a collective calendar for the day', () => {
    const desk = deskOf({ kind: 'collective', members: none });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(judge(desk, at('09:00'))).toBe('day_unavailable');
  });

  test('without an intersection leave a collective calendar without slots', () => {
    const late = [{ memberId: 'anna' }, { memberId: 'ben', hours: everyDay([hour(12), hour(15)]) }];
    const desk = deskOf({ kind: 'collective', members: late });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(judge(desk, at('09:00'))).toBe('outside_hours');
  });
});

describe('a busy time of an external calendar', () => {
  const before = ['2026-10-20T09:00', '2026-10-20T10:00'];
  const after = ['2026-11-20T09:00', '2026-11-20T10:00'];
  const deskWith = (memberId: string, times: readonly string[], more: object = {}) => {
    const desk = deskOf(more);
    const bounds = [...before, ...times.map(at), ...after];
    const external = new Map([[memberId, bounds.map((text) => instant(text))]]);
    return { ...desk, busy: { ...desk.busy, external } };
  };

  test.each([
    ['blocks the slot that it overlaps', ['10:10', '10:20'], {}, '09:00 11:00'],
    ['touches slots without blocking them', ['10:00', '11:00'], {}, '09:00 11:00'],
    ['blocks together with others', ['09:30', '09:40', '11:59', '23:00'], {}, '10:00'],
    ['that ends one minute late blocks the next slot too', ['10:00', '11:01'], {}, '09:00'],
    ['keeps the buffer before a slot free', ['09:00', '10:00'], { bufferBefore: 1 }, '11:00'],
    ['keeps the buffer after a slot free', ['10:00', '11:00'], { bufferAfter: 1 }, '11:00'],
    ['may span the whole day', ['00:01', '23:00'], {}, ''],
  ])('%s', (_, times, buffers, free) => {
    expect(timesOn(deskWith('anna', times, buffers), MONDAY)).toBe(free);
  });

  test('of another member blocks nothing', () => {
    expect(timesOn(deskWith('ben', ['09:00', '12:00']), MONDAY)).toBe('09:00 10:00 11:00');
  });

  test.each([
    ['09:10', '09:20', '09:10'],
    ['09:40', '09:50', '09:30'],
  ])(
    'from %s to %s and a booking at 09:30: the first of them is explained',
    (from, until, first) => {
      const blocks = [block('anna', at('09:30'), at('09:40'))];
      const desk = deskWith('anna', [from, until], { blocks });
      const question = { ...desk, start: instant(at('09:00')), nameOf: (name: string) => name };
      expect(explainSlot(question).facts.busy).toMatchObject([{ from: instant(at(first)) }]);
    },
  );
});
