import { describe, expect, test } from 'vitest';
import { block, deskOf, everyDay, hour, seat, slotsOn, timesOn, wish } from './ask.ts';

const MONDAY = '2026-11-02';
const at = (time: string) => `${MONDAY}T${time}`;

describe('a block', () => {
  test.each([
    ['takes the slot that it overlaps', ['10:10', '10:20'], {}, '09:00 11:00'],
    ['touches slots without taking them', ['10:00', '11:00'], {}, '09:00 11:00'],
    ['of one minute over takes the next slot, too', ['10:00', '11:01'], {}, '09:00'],
    ['keeps the distance that comes before', ['09:00', '10:00'], { bufferBefore: 1 }, '11:00'],
    ['keeps the distance that comes after', ['10:00', '11:00'], { bufferAfter: 1 }, '11:00'],
    ['without length takes nothing', ['10:30', '10:30'], {}, '09:00 10:00 11:00'],
    ['may reach over days', ['09:59', '23:00'], {}, ''],
  ])('%s', (_, [from = '', until = ''], buffers, times) => {
    const blocks = [block('anna', at(from), at(until))];
    expect(timesOn(deskOf({ blocks, ...buffers }), MONDAY)).toBe(times);
  });

  test('that lasts long is seen behind shorter ones that began later', () => {
    const blocks = [
      block('anna', '2026-10-20T00:00', at('10:30')),
      block('anna', '2026-10-21T00:00', '2026-10-21T01:00'),
      block('anna', '2026-11-01T00:00', '2026-11-01T01:00'),
    ];
    expect(timesOn(deskOf({ blocks }), MONDAY)).toBe('11:00');
    expect(timesOn(deskOf({ blocks }), '2026-10-25')).toBe('');
  });

  test('of somebody else takes nothing', () => {
    const blocks = [block('ben', at('09:00'), at('12:00'))];
    expect(timesOn(deskOf({ blocks }), MONDAY)).toBe('09:00 10:00 11:00');
  });
});

describe('a class', () => {
  const yoga = (...blocks: ReturnType<typeof seat>[]) =>
    deskOf({ kind: 'class', seats: 2, blocks, slotInterval: 30 });
  const seatsOn = (desk: ReturnType<typeof yoga>) =>
    slotsOn(desk, MONDAY).map(({ seatsRemaining }) => seatsRemaining);

  test('is offered while it has seats', () => {
    expect(timesOn(yoga(), MONDAY)).toBe('09:00 09:30 10:00 10:30 11:00');
    expect(seatsOn(yoga())).toEqual([2, 2, 2, 2, 2]);
  });

  test('that has begun to fill takes the starts which overlap it, not its own', () => {
    const desk = yoga(seat('anna', at('10:00'), 60));
    expect(timesOn(desk, MONDAY)).toBe('09:00 10:00 11:00');
    expect(seatsOn(desk)).toEqual([2, 1, 2]);
  });

  test('is gone when its seats are', () => {
    const desk = yoga(seat('anna', at('10:00'), 60), seat('anna', at('10:00'), 60));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
    expect(wish(desk, at('10:00'))).toBe('slot_unavailable');
  });

  test('of another type is a booking like any other', () => {
    const desk = yoga(seat('anna', at('10:00'), 60, 'pilates'));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
  });

  test('minds no block that only touches it, whatever buffer its first seat was booked with', () => {
    const early = { ...seat('anna', at('10:00'), 60), from: seat('anna', at('09:50'), 0).from };
    expect(wish(yoga(early, block('anna', at('09:55'), at('10:00'))), at('10:00'))).toBe('anna');
  });

  test('gives no more seats while whoever gives it is busy', () => {
    const desk = yoga(seat('anna', at('10:00'), 60), block('anna', at('10:50'), at('10:55')));
    expect(timesOn(desk, MONDAY)).toBe('09:00 11:00');
  });

  test('has one seat a start where nobody says how many', () => {
    const blocks = [seat('anna', at('10:00'), 60)];
    expect(timesOn(deskOf({ kind: 'class', blocks }), MONDAY)).toBe('09:00 11:00');
    expect(slotsOn(deskOf({ kind: 'class' }), MONDAY)[0]?.seatsRemaining).toBe(1);
  });

  test('stays with the member who gives it', () => {
    const members = [{ memberId: 'anna' }, { memberId: 'ben' }];
    const kind = 'class';
    const blocks = [seat('ben', at('10:00'), 60)];
    const desk = deskOf({ kind, members, seats: 3, blocks });
    expect(slotsOn(desk, MONDAY).map(({ memberIds }) => memberIds.join(' '))).toEqual([
      'anna ben',
      'ben',
      'anna ben',
    ]);
    const left = { ...desk, schedule: { ...desk.schedule, members: [{ memberId: 'anna' }] } };
    expect(wish(left, at('10:00'))).toBe('anna');
    expect(slotsOn(left, MONDAY)[1]?.seatsRemaining).toBe(2);
  });
});

describe('who may take a slot', () => {
  const members = [{ memberId: 'anna' }, { memberId: 'ben' }];
  const blocks = [block('anna', at('10:00'), at('11:00')), block('ben', at('11:00'), at('12:00'))];
  const takersOf = (kind: 'personal' | 'round-robin' | 'collective') =>
    slotsOn(deskOf({ kind, members, blocks }), MONDAY).map(({ memberIds }) => memberIds.join(' '));

  test('of a round-robin: each who is free', () => {
    expect(takersOf('round-robin')).toEqual(['anna ben', 'ben', 'anna']);
  });

  test('of a collective calendar: all, when all are free', () => {
    expect(takersOf('collective')).toEqual(['anna ben']);
  });

  test('of a personal calendar: its first member', () => {
    expect(takersOf('personal')).toEqual(['anna', 'anna']);
  });
});

describe('hours of one’s own', () => {
  const own = everyDay([hour(10.5), hour(13)]);
  const members = [{ memberId: 'anna' }, { memberId: 'ben', hours: own }];
  const none = [{ memberId: 'anna' }, { memberId: 'ben', hours: {} }];

  test('have a grid of their own, and a round-robin offers both', () => {
    const slots = slotsOn(deskOf({ members }), MONDAY);
    expect(timesOn(deskOf({ members }), MONDAY)).toBe('09:00 10:00 10:30 11:00 11:30');
    expect(slots.map(({ memberIds }) => memberIds.join(' '))).toEqual([
      'anna',
      'anna',
      'ben',
      'anna',
      'ben',
    ]);
  });

  test('meet the others’ in a collective calendar, whose grid counts from where all are there', () => {
    const desk = deskOf({ kind: 'collective', members, duration: 30 });
    expect(timesOn(desk, MONDAY)).toBe('10:30 11:00 11:30');
    expect(wish(desk, at('12:00'))).toBe('outside_hours');
  });

  test('without any that day take only their member out of a round-robin', () => {
    expect(timesOn(deskOf({ members: none }), MONDAY)).toBe('09:00 10:00 11:00');
    expect(wish(deskOf({ members: none }), at('09:00'))).toBe('anna');
  });

  test('without any that day leave a collective calendar without the day', () => {
    const desk = deskOf({ kind: 'collective', members: none });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(wish(desk, at('09:00'))).toBe('day_unavailable');
  });

  test('that nobody shares leave a collective calendar without a time', () => {
    const late = [{ memberId: 'anna' }, { memberId: 'ben', hours: everyDay([hour(12), hour(15)]) }];
    const desk = deskOf({ kind: 'collective', members: late });
    expect(timesOn(desk, MONDAY)).toBe('');
    expect(wish(desk, at('09:00'))).toBe('outside_hours');
  });
});
