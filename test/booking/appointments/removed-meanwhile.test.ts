import { Client } from 'pg';
import { at, book, bookedOf, bookingOf, calendarOf, reasonOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { WAITING_FOR_ME } from '../../support/locks.ts';

const WAIT = { timeout: 60_000 };
const HALF_HOUR_MS = 1_800_000;

/** Removes a member from the team in a transaction that commits with `end`. */
async function removing({ databaseUrl }: TestService, memberId: string | undefined) {
  const remover = new Client({ connectionString: databaseUrl });
  await remover.connect();
  await remover.query('begin');
  await remover.query('delete from calendar_members where member_id = $1', [memberId]);
  await remover.query('delete from team_members where id = $1', [memberId]);
  return {
    async isWaitedFor() {
      const { rows } = await remover.query(WAITING_FOR_ME);
      return rows.length > 0;
    },
    async end() {
      await remover.query('commit');
      await remover.end();
    },
  };
}

describe('a member who is removed meanwhile is not assigned', () => {
  test('by a booking', async ({ service }) => {
    const { typeId, team } = await calendarOf(service);
    const startTime = at(service, 1, '09:00');
    const removal = await removing(service, team['anna']);
    const booking = book(service, bookingOf(typeId, startTime));
    await expect.poll(removal.isWaitedFor, WAIT).toBe(true);
    await removal.end();
    expect(reasonOf(await booking)).toBe('slot_unavailable');
    expect(await service.eventNames()).toEqual([]);
  });

  test('by a move', async ({ service }) => {
    const { typeId, team } = await calendarOf(service, {
      type: 'round-robin',
      members: ['anna', 'ben'],
    });
    const bookAt = (time: string) => bookedOf(service, bookingOf(typeId, at(service, 1, time)));
    const mine = await bookAt('09:00');
    const other = await bookAt('10:00');
    expect([mine.assignedTo, other.assignedTo]).toEqual([team['anna'], team['ben']]);
    expect((await bookAt('10:30')).assignedTo).toBe(team['anna']);
    const removal = await removing(service, team['ben']);
    const startTime = at(service, 1, '10:30');
    const move = service.call(`POST /api/v1/calendars/appointments/${mine.id}/reschedule`, {
      body: { startTime, endTime: startTime + HALF_HOUR_MS },
    });
    await expect.poll(removal.isWaitedFor, WAIT).toBe(true);
    await removal.end();
    expect(reasonOf(await move)).toBe('slot_unavailable');
    expect(await service.eventNames()).toEqual([]);
  });
});
