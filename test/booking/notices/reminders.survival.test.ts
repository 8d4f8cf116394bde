import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { always } from '../../support/calendars.ts';
import { caller } from '../../support/service.ts';
import { startInstallation } from '../../support/command-line.ts';

const BOOKINGS = 120;
const KILLS = 3;
const BETWEEN_KILLS_MS = 700;
const WAIT = { timeout: 240_000, interval: 100 };

const CALENDAR = {
  key: 'yoga',
  name: 'Yoga',
  type: 'class',
  timezone: 'UTC',
  members: ['anna'],
  hours: always(),
  confirmation: { channel: 'email', subject: 'Booked', body: 'Booked' },
  reminders: [{ before: 60, channel: 'email', subject: 'Soon', body: 'Soon' }],
  types: [{ key: 'yoga', name: 'Yoga', duration: 60, seats: BOOKINGS }],
};

test('confirmations and reminders are sent once each, even if the worker is killed repeatedly', async () => {
  const installation = await startInstallation({ FRONTDESK_RATE_WRITE: '1000000/1m' });
  onTestFinished(installation.close);
  const { admin, url, databaseUrl, startWorker } = installation;
  const { json: desk } = await admin('sub-account create --name Sandbox --sandbox');
  const issued = await admin(`key create --name K --scopes all --sub-account ${desk.id}`);
  const call = caller(url, { full: issued.json.key });
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-reminders-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'desk.json');
  const team = [{ key: 'anna', name: 'Anna' }];
  await writeFile(file, JSON.stringify({ team, calendars: [CALENDAR] }));
  const { json: applied } = await admin('apply', '-f', file, '--sub-account', desk.id);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());

  const startTime = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 48 * 3_600_000;
  for (let n = 0; n < BOOKINGS; n += 1) {
    const { status } = await call('POST /api/v1/calendars/appointments', {
      body: {
        appointmentTypeId: applied.ids.appointmentTypes.yoga,
        startTime,
        endTime: startTime + 3_600_000,
        firstName: 'Guest',
        lastName: `${n}`,
        email: `guest.${n}@example.com`,
      },
    });
    expect(status).toBe(201);
  }
  await client.query('update graphile_worker._private_jobs set run_at = now()');
  let worker = await startWorker();
  for (let n = 0; n < KILLS; n += 1) {
    await sleep(BETWEEN_KILLS_MS);
    await worker.end('SIGKILL');
    worker = await startWorker();
  }
  // A job whose worker was killed may run again later: no due job is left while it waits.
  await vi.waitFor(async () => {
    const { rows: jobs } = await client.query(
      `select count(*)::int as left from graphile_worker._private_jobs where run_at <= now()`,
    );
    expect(jobs).toEqual([{ left: 0 }]);
    const { rows } = await client.query(
      `select to_address as "to", array_agg(subject order by subject) as subjects,
         array_agg(distinct status) as statuses
       from messages where direction = 'outbound' group by 1`,
    );
    expect(rows).toHaveLength(BOOKINGS);
    const others = rows.filter(
      ({ subjects, statuses }) =>
        subjects.join() !== 'Booked,Soon' || statuses.join() !== 'delivered',
    );
    expect(others).toEqual([]);
  }, WAIT);

  const { rows: mails } = await client.query(
    `select body_text as text from messages where subject = 'Booked' limit 1`,
  );
  const link = new URL(/https?:\S+$/.exec(mails[0].text)?.[0] ?? '');
  const page = await fetch(url + link.pathname);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Yoga')]);
}, 600_000);
