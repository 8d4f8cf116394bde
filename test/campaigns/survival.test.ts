import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mailServer, smtp } from '../conversations/sending.support.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { CAMPAIGN, MANIFEST } from './campaigns.support.ts';

const RECIPIENTS = 2_000;
const KILLS = 6;
const PER_SECOND = 400;
const BETWEEN_KILLS_MS = 1_500;
/** The most recipients that a worker claims at a time. */
const IN_FLIGHT_MAX = 60;
const DONE = { timeout: 240_000, interval: 100 };

test('a campaign sends no mail twice and lists unknown recipients, however often its workers are killed', async () => {
  const accepted = new Map<string, number>();
  const server = await mailServer({
    onData(stream, { envelope: { rcptTo } }, done) {
      stream.resume().on('end', () => {
        const { address = '' } = rcptTo[0] ?? {};
        accepted.set(address, (accepted.get(address) ?? 0) + 1);
        done();
      });
    },
  });
  const installation = await startInstallation({ FRONTDESK_RATE_STORE: 'memory' });
  onTestFinished(installation.close);
  const { admin, call } = installation;
  await setUp(installation, server.port);
  const { id } = (await call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  expect((await call(`POST /api/v1/campaigns/${id}/send`)).body.data.status).toBe('sending');

  const workers = [await installation.startWorker(), await installation.startWorker()];
  let kills = 0;
  for (; kills < KILLS && accepted.size < RECIPIENTS; kills += 1) {
    await sleep(BETWEEN_KILLS_MS);
    await workers[kills % workers.length]?.end('SIGKILL');
    workers[kills % workers.length] = await installation.startWorker();
  }
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await vi.waitFor(async () => {
    const { rows } = await client.query('select status from campaigns where id = $1', [id]);
    expect(rows).toEqual([{ status: 'sent' }]);
  }, DONE);

  const shown = async () => (await admin(`campaign show ${id}`)).json;
  const { recipients } = await shown();
  const { json: unknowns } = await admin(`campaign unknowns ${id}`);
  expect([...accepted].filter(([, times]) => times > 1)).toEqual([]);
  expect(recipients).toEqual({
    pending: 0,
    sent: RECIPIENTS - unknowns.length,
    skipped: 0,
    failed: 0,
    unknown: unknowns.length,
  });
  expect(unknowns.length).toBeLessThanOrEqual(kills * IN_FLIGHT_MAX);
  const unmailed = new Set(
    Array.from({ length: RECIPIENTS }, (_, n) => addressOf(n)).filter((one) => !accepted.has(one)),
  );
  expect(unmailed.difference(new Set(unknowns.map(({ email }: any) => email)))).toEqual(new Set());

  const { json: resent } = await admin(`campaign resend ${id} --unknowns --yes`);
  expect(resent.resent).toBe(unknowns.length);
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      `select from campaign_recipients where campaign_id = $1 and status <> 'sent'`,
      [id],
    );
    expect(rows).toEqual([]);
  }, DONE);
  expect((await shown()).recipients.sent).toBe(RECIPIENTS);
  expect(accepted.size).toBe(RECIPIENTS);
}, 600_000);

const addressOf = (n: number): string => `guest${n}@example.com`;

async function setUp({ admin, subAccountId }: Installation, port: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-campaigns-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const manifest = join(folder, 'manifest.json');
  const channels = smtp(port, { ratePerSecond: PER_SECOND });
  await writeFile(manifest, JSON.stringify({ ...MANIFEST, channels }));
  expect((await admin('apply', '-f', manifest, '--sub-account', subAccountId)).code).toBe(0);
  const rows = Array.from({ length: RECIPIENTS }, (_, n) => `Guest,${n},${addressOf(n)},client`);
  const csv = join(folder, 'contacts.csv');
  await writeFile(csv, ['firstName,lastName,email,tags', ...rows].join('\n'));
  const { json } = await admin(`contact import ${csv} --sub-account ${subAccountId}`);
  expect(json.created).toBe(RECIPIENTS);
}
