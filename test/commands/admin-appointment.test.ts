import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANNA, CHECKUP } from '../support/calendars.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';

const DAY_MS = 86_400_000;

let installation: Installation;
let folder: string;
let ids: any;

const applyFile = async (manifest: object, ...more: string[]) => {
  const path = join(folder, 'manifest.json');
  await writeFile(path, JSON.stringify(manifest));
  const { admin, subAccountId } = installation;
  return admin(`apply --sub-account ${subAccountId} -f`, path, ...more);
};

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-appointment-'));
  const berlin = { ...CHECKUP, timezone: 'Europe/Berlin' };
  ({ ids } = (await applyFile({ team: [ANNA], calendars: [berlin] })).json);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await installation.close();
});

/** Does not change when midnight comes during a test. */
const NOW = Date.now();

const startIn = (days: number, time = '10:00') =>
  `${new Date(NOW + days * DAY_MS).toISOString().slice(0, 10)}T${time}:00Z`;

const book = (start: string, ...more: string[]) => {
  const { admin, subAccountId } = installation;
  const who = '--email jo@example.com --first-name Jo --last-name Doe';
  return admin(
    `appointment book --sub-account ${subAccountId} ${who} --start`,
    start,
    ...(more.includes('--type') ? [] : ['--type', 'checkup-30']),
    ...more,
  );
};

const total = async () =>
  (await installation.call('GET /api/v1/calendars/appointments')).body.meta.total;

describe('appointment book', () => {
  test('returns the appointment, for the key or the ID of its type', async () => {
    const start = startIn(2);
    const { code, json } = await book(start, '--notes', 'by phone');
    expect([code, json]).toMatchObject([
      0,
      {
        calendarId: ids.calendars.checkup,
        appointmentTypeId: ids.appointmentTypes['checkup-30'],
        startTime: new Date(start).toISOString(),
        status: 'scheduled',
        assignedTo: ids.team.anna,
        notes: 'by phone',
        partOfSeries: false,
        contact: { email: 'jo@example.com' },
      },
    ]);
    const again = await book(start);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('the slot is taken')]);
    const next = ['10:30', '11:00', '11:30'].map((time) => new Date(startIn(2, time)));
    const { error } = JSON.parse(again.stderr);
    expect(error.details).toMatchObject({
      reason: 'slot_unavailable',
      alternatives: next.map((time) => ({ startTime: time.getTime() })),
    });
    expect(error.message).toContain(`free: ${next.map((time) => time.toISOString()).join(', ')}`);
    const byId = await book(startIn(2, '11:00'), '--type', ids.appointmentTypes['checkup-30']);
    expect(byId.code).toBe(0);
  });

  test('with --repeat books a whole series for one contact', async () => {
    const { code, json } = await book(startIn(3), '--repeat', 'FREQ=WEEKLY;COUNT=3');
    expect(code).toBe(0);
    expect(json).toHaveLength(3);
    expect(new Set(json.map(({ contactId }: any) => contactId)).size).toBe(1);
    expect(json.every(({ partOfSeries }: any) => partOfSeries)).toBe(true);
  });

  test('with --repeat books none if one of them is refused, and names that one', async () => {
    // A clock change of Berlin may come before: a series keeps its local time.
    for (const time of ['09:00', '10:00', '11:00']) {
      await book(startIn(12, time));
    }
    const before = await total();
    const { code, stderr } = await book(startIn(5), '--repeat', 'FREQ=WEEKLY;COUNT=3');
    expect([code, stderr]).toEqual([1, expect.stringContaining(startIn(12).slice(0, 10))]);
    expect(await total()).toBe(before);
    const endless = await book(startIn(5), '--repeat', 'FREQ=WEEKLY');
    expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining('COUNT')]);
    const nonsense = await book(startIn(5), '--repeat', 'weekly');
    expect([nonsense.code, nonsense.stderr]).toEqual([1, expect.stringContaining('repeat')]);
    expect(await total()).toBe(before);
  });

  test('exits 1 for an unknown type, and 2 for an invalid time', async () => {
    const { code, stderr } = await book(startIn(4), '--type', 'nothing');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no appointment type')]);
    expect((await book('tomorrow')).code).toBe(2);
    expect((await installation.admin('appointment book --type checkup-30')).code).toBe(2);
  });
});

describe('appointment set-status', () => {
  test('returns the appointment and fires the event of its status', async () => {
    const { json } = await book(startIn(6));
    const confirmed = await installation.admin(
      `appointment set-status ${json.id.toUpperCase()} confirmed`,
    );
    expect([confirmed.code, confirmed.json]).toMatchObject([
      0,
      { id: json.id, status: 'confirmed' },
    ]);
    const early = await installation.admin(`appointment set-status ${json.id} completed`);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('before it has')]);
    const word = await installation.admin(`appointment set-status ${json.id} done`);
    expect([word.code, word.stderr]).toEqual([2, expect.stringContaining('no_show')]);
    const nobody = await installation.admin(
      `appointment set-status ${crypto.randomUUID()} confirmed`,
    );
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no appointment')]);
    await expect
      .poll(async () => {
        const { body } = await installation.call('GET /api/v1/events?limit=100');
        return body.data
          .filter(({ data }: any) => data.appointmentId === json.id)
          .map(({ event }: any) => event);
      })
      .toEqual(['appointment.booked', 'appointment.confirmed']);
  });
});

describe('calendar', () => {
  const ask = (line: string, ...more: string[]) =>
    installation.admin(
      `calendar ${line} --sub-account ${installation.subAccountId} --type checkup-30`,
      ...more,
    );

  test('explain names the member for a start, or the reason against it', async () => {
    const start = startIn(8);
    const free = await ask('explain', '--at', start);
    expect([free.code, free.json]).toMatchObject([
      0,
      { bookable: true, reason: null, sentence: expect.stringContaining('Anna Weber') },
    ]);
    await book(start);
    const taken = await ask('explain', '--at', start);
    expect(taken.json).toMatchObject({
      bookable: false,
      reason: 'slot_unavailable',
      timezone: 'Europe/Berlin',
    });
  });

  test('rehearse shows the slots around the next daylight-saving changes', async () => {
    const { code, json } = await ask('rehearse');
    expect(code).toBe(0);
    expect(json.changes.map(({ jumpMinutes }: any) => Math.abs(jumpMinutes))).toEqual([60, 60]);
    expect(json.changes[0].dates).toHaveLength(3);
  });
});

test('apply --prune exits 1 for a calendar with upcoming appointments, and counts them', async () => {
  const { code, stderr } = await applyFile({ team: [ANNA] }, '--prune', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/has \d+ upcoming appointments/)]);
  expect((await installation.call('GET /api/v1/calendars')).body.data).toHaveLength(1);
});
