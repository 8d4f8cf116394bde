import { Client } from 'pg';
import { at, bookedOf, bookingOf, calendarOf, reasonOf } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { WAITING_FOR_ME } from '../../support/locks.ts';

/** More than the server has connections. */
const AT_ONCE = 30;
const WAIT = { timeout: 60_000 };
const HALF_HOUR_MS = 1_800_000;

/** Calendars are cached until one changes. */
async function forgetCalendars(service: TestService): Promise<void> {
  const { database, subAccountId } = service;
  await database.rows('update calendars set updated_at = now() where sub_account_id = $1', [
    subAccountId,
  ]);
  await service.noticed();
}

/** Blocks reads of contacts by email until it is released. */
async function lockEmails({ databaseUrl }: TestService) {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table contact_emails in access exclusive mode');
  return {
    async isWanted() {
      const { rows } = await holder.query(WAITING_FOR_ME);
      return rows.length > 0;
    },
    async free() {
      await holder.query('commit');
      await holder.end();
    },
  };
}

const times = <T>(make: (n: number) => T): T[] =>
  Array.from({ length: AT_ONCE }, (_, n) => make(n));

test('waiting for another booking of the same slot does not hold a connection', async ({
  service,
}) => {
  const { typeId } = await calendarOf(service);
  const startTime = at(service, 1, '00:00');
  const attempt = (headers: Record<string, string>) =>
    service.call('POST /api/v1/calendars/appointments', {
      headers,
      body: bookingOf(typeId, startTime),
    });
  const { free, isWanted } = await lockEmails(service);
  const first = attempt({});
  await expect.poll(isWanted, WAIT).toBe(true);
  // With an idempotency key, each booking holds a transaction and its connection from the start.
  const others = times((n) => attempt({ 'idempotency-key': `key ${n}` }));
  const { pool } = service.database;
  await expect.poll(() => pool.totalCount - pool.idleCount, WAIT).toBeGreaterThan(2);
  // However many wait, they leave connections to another sub-account.
  const body = { title: 'Call back' };
  const headers = { 'idempotency-key': 'other' };
  const task = await service.call('POST /api/v1/tasks', { key: 'other', headers, body });
  expect([task.status, pool.waitingCount]).toEqual([201, 0]);
  await free();
  const answers = await Promise.all([first, ...others]);
  expect(answers.map((one) => String(reasonOf(one))).sort()).toEqual([
    '201',
    ...times(() => 'slot_unavailable'),
  ]);
  expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);
});

describe('with cold caches, more concurrent changes than connections', () => {
  test('move their appointments without waiting for a second connection', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const first = at(service, 1, '00:00');
    const ids: string[] = [];
    for (let n = 0; n < AT_ONCE; n += 1) {
      const { id } = await bookedOf(service, bookingOf(typeId, first + n * HALF_HOUR_MS));
      ids.push(id);
    }
    await forgetCalendars(service);
    const day = at(service, 2, '00:00');
    const answers = await Promise.all(
      ids.map((id, n) => {
        const startTime = day + n * HALF_HOUR_MS;
        const body = { startTime, endTime: startTime + HALF_HOUR_MS };
        return service.call(`POST /api/v1/calendars/appointments/${id}/reschedule`, { body });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(times(() => 200));
    expect(await service.eventNames()).toEqual(times(() => 'appointment.rescheduled'));
  });

  test('book, each under an idempotency key', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const first = at(service, 1, '00:00');
    await forgetCalendars(service);
    const answers = await Promise.all(
      times((n) =>
        service.call('POST /api/v1/calendars/appointments', {
          headers: { 'idempotency-key': `key ${n}` },
          body: bookingOf(typeId, first + n * HALF_HOUR_MS),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(times(() => 201));
  });
});
