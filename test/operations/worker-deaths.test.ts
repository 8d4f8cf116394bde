import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#platform/database/database.ts';
import { recoverJobsOfDeadWorkers } from '#platform/queue/recover-jobs.ts';
import { SECRET } from '../conversations/sending.support.ts';
import {
  startFollowing,
  startInstallation,
  type Following,
  type Installation,
} from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { startSink, type Sink } from '../support/https-sink.ts';
import { signed } from '../workflows/workflows.support.ts';

const REASON = '3 workers in a row ended while they did this, for example out of memory';

/** Between two deaths, leases of dead workers (10 s) and lost jobs (30 s) may be waited for in a row. */
const WAIT = { timeout: 240_000, interval: 50 };
vi.setConfig({ testTimeout: 600_000 });

/** Of workers, by one job: three beside others, five while its time alone doubles, and three alone. */
const DEATHS_MAX = 11;

/** Ends the worker, as the kernel does when the memory is used up, with each request to these paths. */
const DEADLY = ['/hook', '/send', '/flow'];

test('work that ends its worker three times while it runs alone is given up, and its record and the operator say so; other work goes on', async () => {
  const { installation, sink, ends, left } = await arrange();
  const { client, call } = installation;
  const deadly = await installation.subscribe(`${sink.url}/hook`);
  const healthy = await installation.subscribe(`${sink.url}/healthy`);
  await setUp(installation, sink);
  const person = { firstName: 'Ada', lastName: 'Lovelace', phone: '+4930123456' };
  const { id: contactId } = await client.contacts.create(person);
  const { body } = await call('POST /api/v1/conversations', {
    body: { contactId, channel: 'sms' },
  });
  const path = `/api/v1/conversations/${body.data.id}/messages`;
  const written = await call(`POST ${path}`, { body: { channel: 'sms', bodyText: 'Hello' } });
  expect([written.status, written.body.error]).toEqual([201, undefined]);

  const deaths = await runWorkers(installation, sink, left);
  expect(deaths).toBeGreaterThanOrEqual(3);
  // The webhook is attempted again once before its subscription is disabled.
  expect(deaths).toBeLessThanOrEqual((DEADLY.length + 1) * DEATHS_MAX);
  expect(await ends()).toEqual([REASON, 'internal_error', REASON]);
  expect(await client.webhooks.get(deadly)).toMatchObject({ status: 'disabled' });
  expect(await client.webhooks.get(healthy)).toMatchObject({ status: 'active' });
  expect(sink.requests.some(({ path: called }) => called === '/healthy')).toBe(true);
  await expectOperatorNotified(installation);
});

async function expectOperatorNotified({ admin, variables, url }: Installation): Promise<void> {
  const { json: queue } = await admin('queue status');
  expect(queue).toMatchObject({ failing: 4, givenUp: 4 });
  const names = queue.failingJobs.map(({ task }: { task: string }) => task).toSorted();
  expect(names).toEqual([
    'conversations/send-message',
    'webhooks/deliver',
    'webhooks/deliver',
    'workflows/advance',
  ]);
  const { stdout } = await frontdesk(['doctor', '--json'], variables);
  const { checks } = JSON.parse(stdout);
  const { message } = checks.find(({ name }: { name: string }) => name === 'queue');
  expect(message).toContain('4 failing (4 will not be retried)');
  expect(message).toContain(`given up: ${REASON}`);
  const metrics = await fetch(`${url}/metrics`);
  expect(await metrics.text()).toMatch(/^frontdesk_queue_given_up 4$/m);
}

/** Why the subscription, the message and the run ended; null while one has not. */
const ENDS = `select
  (select max(disabled_reason) from webhook_subscriptions) as hook,
  (select max(error_code) from messages) as send,
  (select max(error) from workflow_runs) as flow`;

/** What a failure shows of the work that has not ended. */
const JOBS_LEFT = `select task_identifier, attempts, run_at, locked_at, locked_by, last_error
  from graphile_worker.jobs`;

async function arrange() {
  const sink = await startSink({ https: true });
  const installation = await startInstallation({
    FRONTDESK_POLL_INTERVAL: '200ms',
    FRONTDESK_WEBHOOK_RETRIES: '100ms',
  });
  const log = pino({ level: 'silent' });
  const database = openDatabase({
    url: installation.databaseUrl,
    connections: 2,
    name: 'test',
    log,
  });
  // Another worker would find the dead one after eight seconds.
  const sweepFast = recoverJobsOfDeadWorkers(database.pool, 'pool-of-the-test', log, 50);
  onTestFinished(async () => {
    await sweepFast.stop();
    await database.close();
    await installation.close();
    await sink.close();
  });
  const ends = async () => Object.values((await database.rows<object>(ENDS))[0] ?? {});
  const left = async () =>
    (await ends()).includes(null) ? database.rows<object>(JOBS_LEFT) : undefined;
  return { sink, installation, ends, left };
}

/** Keeps one worker running, which dies with each deadly request, until nothing is `left`. Returns its deaths. */
async function runWorkers(
  { variables }: Installation,
  sink: Sink,
  left: () => Promise<object[] | undefined>,
): Promise<number> {
  let worker: Following | undefined;
  let deaths = 0;
  sink.answer = ({ url = '' }, response) =>
    void (DEADLY.includes(url) ? worker?.end('SIGKILL') : response.end('ok'));
  while (await left()) {
    const started = startFollowing(['worker', '--json'], variables);
    worker = started;
    let isDead = false;
    void started.exited.then(() => (isDead = true));
    await vi.waitFor(
      async () => expect(isDead || (await left())).toBeOneOf([true, undefined]),
      WAIT,
    );
    deaths += isDead ? 1 : 0;
  }
  await worker?.end();
  return deaths;
}

/** Sets up a provider for SMS, and starts a run that calls the sink. */
async function setUp({ admin, call, subAccountId }: Installation, sink: Sink): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-deaths-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'manifest.json');
  const sms = { provider: 'http', apiBaseUrl: `${sink.url}/send`, secret: SECRET };
  const steps = [{ http: { url: `${sink.url}/flow` } }];
  const flow = { slug: 'lead', name: 'Lead', triggers: [{ on: 'inbound_webhook' }], steps };
  await writeFile(file, JSON.stringify({ channels: { sms }, workflows: [flow] }));
  const applied = await admin(`apply -f ${file} --sub-account ${subAccountId}`);
  expect([applied.code, applied.stderr]).toEqual([0, expect.any(String)]);
  const { json } = await admin(`secret regenerate workflow lead --sub-account ${subAccountId}`);
  const raw = JSON.stringify({ email: 'lead@example.com' });
  const headers = { 'x-webhook-signature': signed(json.secret, raw) };
  const answer = await call('POST /webhooks/workflow/lead', { key: null, raw, headers });
  expect(answer.body).toEqual({ ok: true, triggered: 1 });
}
