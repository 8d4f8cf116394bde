import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../../sdk/src/main.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { frontdesk, startFrontdesk } from '../../support/frontdesk.ts';

// Each start runs a PostgreSQL of its own.
vi.setConfig({ testTimeout: 180_000 });

const DAY_MS = 24 * 60 * 60 * 1_000;
const WAIT = { timeout: 60_000, interval: 500 };

let folder: string;
beforeEach(async () => {
  folder = await newDataFolder('frontdesk-demo-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = async () => {
  const { said, end } = await startFrontdesk(['up', '--port', '0', '--data', folder, '--demo'], {});
  const { url, demo } = said;
  const client = createClient({ baseUrl: url, apiKey: demo.key });
  const admin = async (line: string): Promise<any> => {
    const { stdout } = await frontdesk(['admin', ...line.split(' '), '--json'], {
      FRONTDESK_ENV_FILE: join(folder, 'frontdesk.env'),
    });
    return JSON.parse(stdout);
  };
  return { client, admin, subAccountId: demo.subAccountId as string, end };
};

describe('the demo', () => {
  test('is full of records, which a second start neither repeats nor changes', async () => {
    const first = await start();
    const { client, admin, subAccountId } = first;

    const { meta } = await client.contacts.list();
    expect(meta.total).toBe(40);
    const conversations = await client.conversations.list({ limit: 100 });
    const channels = new Set(conversations.data.map(({ channel }) => channel));
    expect([...channels].sort()).toEqual(['email', 'live_chat', 'sms']);
    expect(conversations.data.some(({ unreadCount }) => unreadCount > 0)).toBe(true);

    const { data: appointments } = await client.appointments.list({ limit: 100 });
    const starts = appointments.map(({ startTime }) => Date.parse(startTime));
    expect(appointments.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(15 * DAY_MS);
    expect(new Set(appointments.map(({ status }) => status))).toEqual(
      new Set(['scheduled', 'confirmed', 'completed', 'no_show', 'cancelled']),
    );
    // The work of a morning: what has begun is still to be marked.
    const begun = appointments.filter(({ startTime }) => Date.parse(startTime) < Date.now());
    const unmarked = begun.filter(({ status }) => /^(?:scheduled|confirmed)$/.test(status));
    expect(unmarked.length).toBeGreaterThan(0);
    expect(begun.length).toBeGreaterThan(unmarked.length);

    const { data: deals } = await client.opportunities.list({ limit: 100 });
    expect(new Set(deals.map(({ status }) => status))).toEqual(new Set(['open', 'won', 'lost']));
    const { data: tasks } = await client.tasks.list({ limit: 100 });
    expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(['todo', 'completed']));

    await vi.waitFor(async () => {
      const [campaign] = await admin(`campaign list --sub-account ${subAccountId}`);
      expect(campaign.status).toBe('sent');
      const runs = await admin(`workflow runs --sub-account ${subAccountId} --status waiting`);
      expect(runs.length).toBeGreaterThan(5);
    }, WAIT);

    expect(await first.end('SIGINT')).toBe(0);
    const second = await start();
    expect(second.subAccountId).toBe(subAccountId);
    expect((await second.client.contacts.list()).meta.total).toBe(40);
    expect((await second.client.opportunities.list()).meta.total).toBe(deals.length);
    expect(await second.end('SIGINT')).toBe(0);
  });
});
