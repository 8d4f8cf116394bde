import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { always } from '../../support/calendars.ts';
import { startInstallation } from '../../support/command-line.ts';
import { calendarOf, during, startIcsServer } from '../../support/ics-server.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;
const MANY = 20;

async function startDesk() {
  const ics = await startIcsServer();
  onTestFinished(ics.close);
  const installation = await startInstallation();
  onTestFinished(installation.close);
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-external-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const anna = { key: 'anna', name: 'Anna', externalCalendar: { type: 'ics', url: ics.url } };
  const types = [{ key: 'checkup', name: 'Check-up', duration: 30 }];
  const calendar = { key: 'c', name: 'C', timezone: 'UTC', members: ['anna'], hours: always() };
  const file = join(folder, 'desk.json');
  await writeFile(file, JSON.stringify({ team: [anna], calendars: [{ ...calendar, types }] }));
  const to = ['--sub-account', installation.subAccountId];
  const { json } = await installation.admin('apply', '-f', file, ...to);
  const typeId = json.ids.appointmentTypes.checkup as string;
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS;
  let guests = 0;
  return {
    ...installation,
    ics,
    to,
    start,
    typeId,
    async book(startTime: number) {
      const who = { firstName: 'Ada', lastName: 'L', email: `a${(guests += 1)}@example.com` };
      const times = { startTime, endTime: startTime + HALF_HOUR_MS };
      const body = { appointmentTypeId: typeId, ...times, ...who };
      const reply = await installation.call('POST /api/v1/calendars/appointments', { body });
      return { ...reply, reason: reply.body.error?.details?.reason ?? reply.status };
    },
    /** Returns how many fetches are queued or running. */
    async fetches(): Promise<number> {
      const { rows } = await client.query(
        `select from graphile_worker.jobs where task_identifier = 'calendars/ask-external'`,
      );
      return rows.length;
    },
    /** Pretends that the last fetch was that long ago. */
    age: (seconds: number) =>
      client.query(`update external_busy set asked_at = now() - $1 * interval '1 s'`, [seconds]),
  };
}

describe('a booking fetches the external calendar', () => {
  test('before it is checked, if the last fetch is a minute old', async () => {
    const desk = await startDesk();
    const { start, ics } = desk;
    ics.publish(during(start, start + HALF_HOUR_MS));
    // No worker runs, so the booking itself fetches.
    expect((await desk.book(start)).reason).toBe('slot_unavailable');
    expect(ics.asked).toHaveLength(1);
    expect((await desk.book(start + HALF_HOUR_MS)).reason).toBe(201);
    expect(ics.asked).toHaveLength(1);

    ics.publish();
    expect((await desk.book(start)).reason).toBe('slot_unavailable');
    await desk.age(61);
    const { reason, body } = await desk.book(start);
    expect(reason).toBe(201);
    expect(ics.asked).toHaveLength(2);

    // A move and the command line fetch too.
    await desk.age(61);
    ics.publish(during(start + DAY_MS, start + DAY_MS + HALF_HOUR_MS));
    const times = { startTime: start + DAY_MS, endTime: start + DAY_MS + HALF_HOUR_MS };
    const path = `/api/v1/calendars/appointments/${body.data.id}/reschedule`;
    const moved = await desk.call(`POST ${path}`, { body: times });
    expect(moved.body.error.details.reason).toBe('slot_unavailable');
    await desk.age(61);
    ics.publish();
    const who = ['--email', 'x@example.com', '--first-name', 'X', '--last-name', 'Y'];
    const at = ['--start', new Date(start + DAY_MS).toISOString()];
    const booked = await desk.admin('appointment book --type checkup', ...desk.to, ...at, ...who);
    expect(booked.json).toMatchObject({ title: 'Check-up' });
    expect(ics.asked).toHaveLength(4);
  });

  test('once for all concurrent bookings', async () => {
    const { start, ics, book, age } = await startDesk();
    const bookMany = (from: number) =>
      Promise.all(
        Array.from({ length: MANY }, async (_, n) => (await book(from + n * HALF_HOUR_MS)).reason),
      );
    ics.publish(during(start, start + HALF_HOUR_MS));
    const all = Array.from({ length: MANY }, () => 201);
    expect(await bookMany(start)).toEqual(['slot_unavailable', ...all.slice(1)]);
    expect(ics.asked).toHaveLength(1);
    await age(61);
    expect(await bookMany(start + DAY_MS)).toEqual(all);
    expect(ics.asked).toHaveLength(2);
  });

  test('and is not overruled by a slow answer to an earlier request', async () => {
    const desk = await startDesk();
    const { start, ics } = desk;
    const answered = Promise.withResolvers<() => void>();
    ics.answer = (_, response) => answered.resolve(() => response.end(calendarOf()));
    await desk.startWorker();
    const answerNow = await answered.promise;
    ics.publish(during(start, start + HALF_HOUR_MS));
    expect((await desk.book(start)).reason).toBe('slot_unavailable');
    answerNow();
    await expect.poll(desk.fetches).toBe(0);
    expect((await desk.book(start)).reason).toBe('slot_unavailable');
    expect(ics.asked).toHaveLength(2);
  });

  test('and uses the stored busy times if the server does not respond', async () => {
    const desk = await startDesk();
    const { start, ics } = desk;
    ics.publish(during(start, start + HALF_HOUR_MS));
    await desk.book(start + DAY_MS);
    ics.answer = () => undefined;
    await desk.age(61);
    expect((await desk.book(start)).reason).toBe('slot_unavailable');
    await desk.age(61);
    expect((await desk.book(start + HALF_HOUR_MS)).reason).toBe(201);
    const { json } = await desk.admin('calendar external', ...desk.to);
    expect(json).toEqual([
      {
        member: 'anna',
        type: 'ics',
        url: ics.url,
        answeredAt: expect.any(String),
        askedAt: expect.any(String),
        failingSince: expect.any(String),
        lastError: expect.any(String),
        busyTimes: 1,
      },
    ]);
  });
});
