import { counted } from '#lib/counted.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';
import { startSink, type Sink } from '../support/https-sink.ts';

const WAIT = { timeout: 60_000, interval: 200 };
const NOTHING = '00000000-0000-7000-8000-000000000000';

let installation: Installation;
let sink: Sink;
let id: string;
beforeAll(async () => {
  installation = await startInstallation();
  sink = await startSink({ https: true });
});
beforeEach(async () => {
  id = await installation.subscribe(`${sink.url}/hook`);
});
afterAll(async () => {
  await installation.close();
  await sink.close();
});

describe('admin webhook list', () => {
  test('shows the subscriptions of all sub-accounts or of one, newest first', async () => {
    const { admin, client, subAccountId } = installation;
    const { json: other } = await admin('sub-account create --name Other');
    const { code, json } = await admin('webhook list');
    expect(code).toBe(0);
    const state = { failingSince: null, waiting: 0 };
    expect(json[0]).toEqual({ ...(await client.webhooks.get(id)), subAccountId, ...state });
    expect(JSON.stringify(json)).not.toContain('whsec_');
    expect((await admin(`webhook list --sub-account ${subAccountId}`)).json).toEqual(json);
    expect((await admin(`webhook list --sub-account ${other.id}`)).json).toEqual([]);
  });

  test('is a table for people, with what fits', async () => {
    const { stdout } = await frontdesk(['admin', 'webhook', 'list'], installation.variables);
    expect(stdout).toMatch(new RegExp(`active +${sink.url}/hook`));
    expect(stdout.split('\n')[0]).toMatch(
      /^id +status +url +waiting +lastSuccessAt +consecutiveFailures +subscribedTo$/,
    );
  });

  test('fits 80 columns with what answers the question, and --wide repeats no column', async () => {
    const narrow = openTerminal(['admin', 'webhook', 'list'], installation.variables);
    await narrow.exited;
    expect(narrow.screen()).toMatch(/^id +status +url +waiting$/m);
    const { stdout } = await frontdesk(
      ['admin', 'webhook', 'list', '--wide'],
      installation.variables,
    );
    const names = (stdout.split('\n')[0] ?? '').split(/ +/);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('failingSince');
  });

  test('says since when a receiver fails, and how many events wait', async () => {
    const worker = await installation.startWorker();
    const refusing = await startSink({ https: true });
    refusing.answer = (_, response) => void response.writeHead(500).end('no');
    const failing = await installation.subscribe(refusing.url);
    const before = new Date().toISOString();
    await installation.createContact('Waiting');
    await vi.waitFor(async () => {
      const { json } = await installation.admin('webhook list');
      const row = json.find((one: { id: string }) => one.id === failing);
      expect(row).toMatchObject({ waiting: 1, failingSince: expect.any(String) });
      expect(row.failingSince > before).toBe(true);
    }, WAIT);
    await Promise.all([worker.end(), refusing.close()]);
    const narrow = openTerminal(['admin', 'webhook', 'list'], installation.variables);
    await narrow.exited;
    expect(narrow.screen()).toMatch(new RegExp(`${failing} +failing .* 1$`, 'm'));
  });
});

describe('admin webhook test', () => {
  test('waits for the outcome and shows it', async () => {
    const worker = await installation.startWorker();
    const before = sink.requests.length;
    const { code, json, stderr } = await installation.admin(`webhook test ${id}`);
    await worker.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json).toMatchObject({
      event: 'webhook.test',
      attempt: 1,
      trigger: 'manual',
      status: 'succeeded',
      responseStatus: 200,
      responseBody: 'ok',
      error: null,
      subscriptionId: id,
    });
    expect(sink.requests.slice(before).map(({ headers }) => headers['x-webhook-delivery'])).toEqual(
      [json.id],
    );
  });

  test('ends with 1 where the attempt failed', async () => {
    const worker = await installation.startWorker();
    const refusing = await startSink({ https: true });
    refusing.answer = (_, response) => void response.writeHead(500).end('no');
    const { code, json } = await installation.admin(
      `webhook test ${await installation.subscribe(refusing.url)}`,
    );
    await Promise.all([worker.end(), refusing.close()]);
    expect(code).toBe(1);
    expect(json).toMatchObject({ status: 'failed', responseStatus: 500, responseBody: 'no' });
  });

  test('says so where no worker takes it within 20 seconds', async () => {
    const { code, json, stderr } = await installation.admin(`webhook test ${id}`);
    expect(code).toBe(0);
    expect(json).toMatchObject({ status: 'pending', responseStatus: null });
    expect(stderr).toMatch(/^frontdesk: not sent within 20 s: no worker took it.*\n$/);
  });
});

describe('admin webhook enable', () => {
  test('switches a disabled subscription on again, and answers the row', async () => {
    const { client, admin, subAccountId } = installation;
    await client.webhooks.update(id, { status: 'disabled' });
    const { code, json } = await admin(`webhook enable ${id}`);
    expect(code).toBe(0);
    expect(json).toMatchObject({ id, subAccountId, status: 'active', disabledReason: null });
    expect((await admin(`webhook enable ${id}`)).json).toEqual(json);
    const again = await frontdesk(['admin', 'webhook', 'enable', id], installation.variables);
    expect(again.stdout).toContain('was active already');
    const { json: audit } = await admin('audit list --limit 1');
    expect(audit).toMatchObject([{ operation: 'admin webhook enable', recordId: id }]);
  });
});

describe('admin secret regenerate webhook', () => {
  test('shows another secret, once, and keeps the one before for the grace period', async () => {
    const { admin, variables } = installation;
    const { code, json } = await admin(`secret regenerate webhook ${id} --grace 24h`);
    expect(code).toBe(0);
    expect(json).toEqual({ secret: expect.stringMatching(/^whsec_\w{32,}$/) });
    const words = ['admin', 'secret', 'regenerate', 'webhook', id];
    const { stdout } = await frontdesk(words, variables);
    expect(stdout).toMatch(/^ {2}whsec_\w{32,}$/m);
    expect(stdout).toContain('shown once');
    expect(stdout).not.toContain(json.secret);
  });

  test.for([
    ['--grace soon', 'must be a duration'],
    ['--grace 8d', '8d was given; it must be 7d or less'],
  ] as const)('%s is wrong usage', async ([option, said]) => {
    const { code, stderr } = await installation.admin(`secret regenerate webhook ${id} ${option}`);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

test('admin queue status says what is due, for scripts and for people', async () => {
  const { admin, client, variables } = installation;
  await client.webhooks.test(id);
  const { code, json } = await admin('queue status');
  expect(code).toBe(0);
  expect(json).toEqual({
    depth: expect.any(Number),
    oldest: expect.stringMatching(/^\d{4}-.*Z$/),
    failing: 0,
    givenUp: 0,
    failingJobs: [],
    unpublished: 0,
    heldSince: null,
    reason: null,
  });
  expect(json.depth).toBeGreaterThan(0);
  const { stdout } = await frontdesk(['admin', 'queue', 'status'], variables);
  expect(stdout).toBe(
    `${counted(json.depth, 'job')} due, the oldest since ${json.oldest}\n0 events not published yet\n0 jobs failing\n`,
  );
});

test.for([
  `webhook list --sub-account ${NOTHING}`,
  `webhook test ${NOTHING}`,
  `webhook enable ${NOTHING}`,
  'webhook enable nonsense',
  `secret regenerate webhook ${NOTHING}`,
])('%s is exit code 1 and named', async (line) => {
  const { code, stdout, stderr } = await installation.admin(line);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/there is no (?:webhook subscription|sub-account) (?:0000|nonsense)/);
});
