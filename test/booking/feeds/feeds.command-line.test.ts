import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startInstallation } from '../../support/command-line.ts';

test('apply and calendar feed print feed URLs, which change when they are rotated', async () => {
  const installation = await startInstallation();
  onTestFinished(installation.close);
  const { admin, url, subAccountId } = installation;
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-feeds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'desk.json');
  const team = [
    { key: 'anna', name: 'Anna' },
    { key: 'ben', name: 'Ben' },
  ];
  const calendars = [{ key: 'anna', name: 'Check-ups', members: ['anna'] }];
  await writeFile(file, JSON.stringify({ team, calendars }));
  const to = ['--sub-account', subAccountId];
  const { json: applied } = await admin('apply', '-f', file, ...to);
  const { feeds } = applied.ids;
  expect(Object.keys(feeds)).toEqual(['anna', 'team/anna', 'ben']);

  const { json: calendar } = await admin('calendar feed anna', ...to);
  expect(calendar).toEqual({
    key: 'anna',
    kind: 'calendar',
    token: feeds.anna,
    url: `http://localhost:8080/calendar/${feeds.anna}.ics`,
  });
  const { json: member } = await admin('calendar feed anna --member', ...to);
  expect(member).toMatchObject({ kind: 'member', token: feeds['team/anna'] });
  const status = async (token: string) => (await fetch(`${url}/calendar/${token}.ics`)).status;
  expect(await status(feeds.anna)).toBe(200);
  const { json: rotated } = await admin('calendar feed anna --rotate', ...to);
  expect(rotated.token).not.toBe(feeds.anna);
  expect([await status(feeds.anna), await status(rotated.token)]).toEqual([404, 200]);
  expect((await admin('calendar feed unknown', ...to)).code).toBe(1);
});
