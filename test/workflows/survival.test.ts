import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSink } from '../support/https-sink.ts';
import { startInstallation } from '../support/command-line.ts';
import { signed, WAIT } from './workflows.support.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeGate } from '../support/locks.ts';

/** The lock for which a step waits at the end of its transaction, before the commit. */
const GATE = 4_711;
const BLOCK_STEPS = [
  `create function block_step() returns trigger language plpgsql as $$
  begin
    if exists (
      select from workflow_runs r
      join contacts c on c.sub_account_id = r.sub_account_id and c.id = r.contact_id
      where r.sub_account_id = new.sub_account_id and r.id = new.run_id and c.company = new.place
    ) then
      perform pg_advisory_xact_lock_shared(${GATE});
    end if;
    return new;
  end $$`,
  `create trigger block_step before insert on workflow_log
  for each row execute function block_step()`,
];

test('every step is taken once although the worker is killed before the commit of each', async () => {
  const sink = await startSink();
  const installation = await startInstallation({ FRONTDESK_POLL_INTERVAL: '200ms' });
  onTestFinished(async () => {
    await installation.close();
    await sink.close();
  });
  const { admin, call } = installation;
  const steps = [
    { send: { channel: 'email', subject: 'Hi {{firstName}}', body: 'Hello' } },
    { wait: { for: '1s' } },
    { goal: { event: 'paid' } },
    { addTag: 'paid' },
    { createTask: { title: 'Call {{fullName}}' } },
    { notify: { subject: 'A lead', body: '{{fullName}}' } },
    { http: { url: sink.url, body: '{{contactId}}' } },
    { end: true },
  ];
  const { json: sub } = await admin('sub-account create --name Sandbox --sandbox');
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-workflows-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'flow.json');
  const flow = { slug: 'lead', name: 'Lead', triggers: [{ on: 'inbound_webhook' }], steps };
  await writeFile(file, JSON.stringify({ workflows: [flow] }));
  const applied = await admin(`apply -f ${file} --sub-account ${sub.id}`);
  expect(Object.keys(applied.json.ids.workflows)).toEqual(['lead']);
  const { json } = await admin(`secret regenerate workflow lead --sub-account ${sub.id}`);
  const post = async (path: string, body: object) => {
    const raw = JSON.stringify(body);
    const headers = { 'x-webhook-signature': signed(json.secret, raw) };
    return (await call(`POST /webhooks/${path}/lead`, { key: null, raw, headers })).body;
  };

  const database = new Client({ connectionString: installation.databaseUrl });
  await database.connect();
  onTestFinished(() => database.end());
  for (const statement of BLOCK_STEPS) {
    await database.query(statement);
  }
  const gate = await closeGate(installation.databaseUrl, GATE);
  const places = steps.map((_, index) => `/${index}`);
  for (const place of places) {
    const email = `lead${place.slice(1)}@example.com`;
    expect(await post('workflow', { email })).toEqual({ ok: true, triggered: 1 });
    await database.query('update contacts set company = $1 where email = $2', [place, email]);
  }
  expect(await post('event', { eventType: 'paid' })).toEqual({ ok: true, triggered: 0 });

  // The steps of one sub-account take at most half of its connections.
  const first = await installation.startWorker('--concurrency', `${2 * places.length}`);
  await vi.waitFor(async () => expect(await gate.waiting()).toBe(places.length), WAIT);
  await first.end('SIGKILL');
  await gate.open();
  await installation.startWorker();
  await vi.waitFor(async () => {
    const { rows } = await database.query(
      'select status, count(*)::int from workflow_runs group by 1',
    );
    expect(rows).toEqual([{ status: 'completed', count: places.length }]);
  }, WAIT);

  const { rows } = await database.query(
    `select r.id, array_agg(l.place || ' ' || l.outcome order by l.id) as log,
       (select count(*)::int from messages m
        join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
        where v.sub_account_id = r.sub_account_id and v.contact_id = r.contact_id) as messages,
       (select count(*)::int from tasks t
        where t.sub_account_id = r.sub_account_id and t.contact_id = r.contact_id) as tasks
     from workflow_runs r
     join workflow_log l on l.sub_account_id = r.sub_account_id and l.run_id = r.id
     where r.sub_account_id = $1
     group by r.sub_account_id, r.id, r.contact_id`,
    [sub.id],
  );
  const log = places.map((place) => `${place} ${place === '/2' ? 'met' : 'done'}`);
  expect(rows).toEqual(places.map(() => ({ id: expect.any(String), log, messages: 1, tasks: 1 })));
  const calls = Map.groupBy(sink.requests, ({ headers }) => headers['idempotency-key']);
  expect(new Set(calls.keys())).toEqual(new Set(rows.map(({ id }) => `${id}/6`)));
  // The blocked call was made, but its outcome was not committed: it is repeated.
  expect(sink.requests).toHaveLength(places.length + 1);
}, 600_000);
