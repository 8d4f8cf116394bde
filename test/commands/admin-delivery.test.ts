import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  startFollowing,
  startInstallation,
  type Following,
  type Installation,
} from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { startSink, type Sink } from '../support/https-sink.ts';
import { openTerminal } from '../support/terminal.ts';

const NOTHING = '00000000-0000-7000-8000-000000000000';
const SOON = { timeout: 60_000, interval: 100 };

let installation: Installation;
let worker: Following;
let well: Sink;
let broken: Sink;
/** New subscriptions of the two receivers for each test. */
let toWell: string;
let path: string;
let toBroken: string;

beforeAll(async () => {
  installation = await startInstallation();
  worker = await installation.startWorker();
  [well, broken] = await Promise.all([startSink({ https: true }), startSink({ https: true })]);
  // The second attempt is as late as a receiver can make it: after 20 s.
  broken.answer = (_, response) =>
    void response.writeHead(503, { 'retry-after': '60' }).end('later');
});
beforeEach(async () => {
  path = `/${randomUUID()}`;
  toWell = await installation.subscribe(well.url + path);
  toBroken = await installation.subscribe(`${broken.url}/broken`);
});
afterAll(async () => {
  await worker.end();
  await installation.close();
  await Promise.all([well.close(), broken.close()]);
});

const list = async (...options: string[]) =>
  (await installation.admin('delivery list', ...options)).json;
/** Returns the attempts once there are enough. Asks the server, which is faster than starting a command. */
const made = async (subscription: string, count: number): Promise<any[]> => {
  const isMade = ({ status }: { readonly status: string }) => status !== 'pending';
  await vi.waitFor(async () => {
    const { data } = await installation.client.webhooks.deliveries(subscription);
    expect(data.filter(isMade)).toHaveLength(count);
  }, SOON);
  return (await list('--subscription', subscription)).filter(isMade);
};
const requestsFor = (eventId: string) =>
  well.requests.filter(
    (request) => request.path === path && request.headers['x-webhook-event-id'] === eventId,
  ).length;

describe('admin delivery list', () => {
  test('shows the attempts like the API, with their sub-account', async () => {
    const { client, createContact, subAccountId } = installation;
    await createContact();
    await made(toWell, 1);
    await made(toBroken, 1);
    const rows = await list('--subscription', toBroken);
    const { data } = await client.webhooks.deliveries(toBroken);
    const owner = { subscriptionId: toBroken, subAccountId };
    expect(rows).toEqual(data.map((row) => ({ ...row, ...owner })));
    expect(rows).toMatchObject([
      { attempt: 2, status: 'pending' },
      { attempt: 1, status: 'failed', responseStatus: 503, responseBody: 'later' },
    ]);
  });

  test('filters by failure and sub-account, up to a limit', async () => {
    const { createContact, subAccountId, admin } = installation;
    await createContact();
    await Promise.all([made(toWell, 1), made(toBroken, 1)]);
    expect(await list('--subscription', toBroken, '--failed')).toMatchObject([{ attempt: 1 }]);
    expect(await list('--subscription', toWell, '--failed')).toEqual([]);
    expect(await list('--sub-account', subAccountId)).toEqual(await list());
    const { json: other } = await admin('sub-account create --name Other');
    expect(await list('--sub-account', other.id)).toEqual([]);
    const [first, second] = await list('--limit', '2');
    expect(first.id > second.id).toBe(true);
    expect(await list('--limit', '1')).toEqual([first]);
  });

  test('names the receivers of several subscriptions, and lists the attempts of a deleted one', async () => {
    const { createContact, client, variables } = installation;
    await createContact();
    await Promise.all([made(toWell, 1), made(toBroken, 1)]);
    await client.webhooks.delete(toBroken);
    const attempts = await list('--subscription', toBroken);
    expect(attempts.at(0)).toMatchObject({
      status: 'failed',
      error: 'the subscription was deleted',
    });
    expect(attempts.at(-1)).toMatchObject({ attempt: 1, status: 'failed', responseStatus: 503 });
    const words = ['admin', 'delivery', 'list', '--limit', '3'];
    const { stdout } = await frontdesk(words, variables);
    expect(stdout.split('\n')[0]).toMatch(/^id +result +event +receiver +sentAt /);
    expect(stdout).toContain(`${broken.url}/broken`);
    const narrow = openTerminal(words, variables);
    await narrow.exited;
    expect(narrow.screen()).toMatch(/^id +result +event +sentAt/m);
    expect(narrow.screen()).toContain(`\n  ${broken.url}/broken`);
    const { stdout: one } = await frontdesk([...words, '--subscription', toWell], variables);
    expect(one.split('\n')[0]).not.toContain('receiver');
  });

  test('--follow prints each new attempt, one JSON value per line', async () => {
    const { createContact, variables } = installation;
    await createContact('Before');
    await made(toBroken, 1);
    const args = ['admin', 'delivery', 'list', '--follow', '--json', '--subscription', toBroken];
    const following = startFollowing(args, variables);
    await vi.waitFor(async () => {
      await createContact('After');
      expect(following.stdout()).not.toBe('');
    }, SOON);
    const [first] = await following.next(1);
    expect(first).toMatchObject({
      subscriptionId: toBroken,
      status: 'failed',
      responseStatus: 503,
      attempt: 1,
    });
    const { json: retried } = await installation.admin(`delivery retry ${first.id}`);
    await vi.waitFor(() => {
      const found = following.lines.filter(({ id }) => id === retried.id);
      expect(found).toMatchObject([{ status: 'failed', attempt: 3, trigger: 'manual' }]);
    }, SOON);
    expect(await following.end('SIGINT')).toBe(0);
    const ids = following.lines.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(following.stdout().endsWith('}\n')).toBe(true);
    expect(following.stderr()).toBe('');
  });

  test('--follow exits 0 silently on SIGTERM, and when its pipe is closed', async () => {
    const { createContact, variables } = installation;
    const args = ['admin', 'delivery', 'list', '--follow'];
    const silent = startFollowing([...args, '--subscription', toWell], variables);
    const left = startFollowing(args, variables);
    left.leave();
    let exited: unknown;
    void left.exited.then((code) => (exited = code));
    await vi.waitFor(async () => {
      await createContact();
      expect(exited).toBe(0);
    }, SOON);
    expect(left.stderr()).toBe('');
    expect(await silent.end('SIGTERM')).toBe(0);
    expect(silent.stdout()).toMatch(/^(?:\S+ {2}succeeded {2}contact.created {2}.*\n)*$/);
  });
});

describe('admin delivery retry', () => {
  test('sends the event again and returns the pending attempt', async () => {
    const { admin, createContact, subAccountId } = installation;
    await createContact();
    const [row] = await made(toWell, 1);
    const { code, json } = await admin(`delivery retry ${row.id}`);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      eventId: row.eventId,
      event: 'contact.created',
      attempt: 2,
      trigger: 'manual',
      status: 'pending',
      subscriptionId: toWell,
      subAccountId,
    });
    await made(toWell, 2);
    const { json: audit } = await admin('audit list --limit 1');
    expect(audit).toMatchObject([{ operation: 'admin delivery retry', recordId: row.id }]);
  });
});

describe('admin delivery replay', () => {
  test('sends every event since a time again', async () => {
    const { admin, createContact } = installation;
    await createContact('Early');
    await made(toWell, 1);
    const since = new Date().toISOString();
    await createContact('Late');
    const [late, early] = await made(toWell, 2);
    const args = ['--subscription', toWell, '--since', since];
    const { code, json } = await admin('delivery replay', ...args, '--yes');
    expect(code).toBe(0);
    expect(json).toEqual({ subscriptionId: toWell, since, replayed: 1 });
    const rows = await made(toWell, 3);
    expect(rows[0]).toMatchObject({ eventId: late.eventId, attempt: 2, trigger: 'manual' });
    expect([requestsFor(late.eventId), requestsFor(early.eventId)]).toEqual([2, 1]);
  });

  test('sends only events without a successful attempt, of a name, before a time', async () => {
    const { admin, createContact, variables } = installation;
    const since = new Date().toISOString();
    await createContact('First');
    await createContact('Second');
    await made(toWell, 2);
    await made(toBroken, 2);
    const replay = (to: string, ...options: string[]) =>
      admin('delivery replay', '--subscription', to, '--since', since, ...options, '--yes');
    expect((await replay(toWell, '--failed')).json.replayed).toBe(0);
    expect((await replay(toWell, '--event', 'contact.updated')).json.replayed).toBe(0);
    const later = new Date(Date.parse(since) + 1).toISOString();
    expect((await replay(toWell, '--until', later)).json.replayed).toBe(0);
    expect((await replay(toBroken, '--failed', '--event', 'contact.created')).json).toMatchObject({
      replayed: 2,
    });
    const words = ['admin', 'delivery', 'replay', '--subscription', toWell, '--since', since];
    const asked = openTerminal(words, variables, 400);
    await asked.shows(`${path}? All of them were already delivered and are sent again.`);
    asked.type('n\r');
    expect(await asked.exited).toBe(1);
  });

  test('needs --yes without a terminal, unless there is nothing to send', async () => {
    const { admin, createContact } = installation;
    const since = new Date().toISOString();
    const replay = () => admin('delivery replay', '--subscription', toWell, '--since', since);
    expect(await replay()).toMatchObject({ code: 0, json: { replayed: 0 } });
    await createContact();
    await made(toWell, 1);
    const { code, stdout, stderr } = await replay();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr).error.message).toMatch(
      /^admin delivery replay asks for confirmation \("Send 1 event to https:\/\/\S+\? It was already delivered and is sent again\."\); without a terminal, pass --yes$/,
    );
    expect(await list('--subscription', toWell)).toHaveLength(1);
  });
});

test.for([
  ['delivery list --limit 0', 'whole number from 1 to 10000'],
  ['delivery list --follow --limit 5', '--follow and --limit exclude each other'],
  ['delivery replay --since 2026-01-01T00:00:00Z', 'needs --subscription <id>'],
  [`delivery replay --subscription ${NOTHING} --since yesterday`, 'ISO 8601'],
  [`delivery replay --subscription ${NOTHING} --since 2999-01-01T00:00:00Z`, 'is in the future'],
  [
    `delivery replay --subscription ${NOTHING} --since 2026-01-01T00:00:00Z --until 2026-01-01T00:00:00Z`,
    'is not after --since',
  ],
  [
    `delivery replay --subscription ${NOTHING} --since 2026-01-01T00:00:00Z --event contact.create`,
    'unknown event',
  ],
] as const)('%s is wrong usage', async ([line, said]) => {
  const { code, stdout, stderr } = await installation.admin(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
});

test.for([
  `delivery list --subscription ${NOTHING}`,
  `delivery list --sub-account ${NOTHING}`,
  'delivery list --subscription nonsense --follow',
  `delivery retry ${NOTHING}`,
  'delivery retry nonsense',
  `delivery replay --subscription ${NOTHING} --since 2026-01-01T00:00:00Z --yes`,
])('%s is exit code 1 and named', async (line) => {
  const { code, stdout, stderr } = await installation.admin(line);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /there is no (?:webhook subscription|sub-account|delivery) (?:0000|nonsense)/,
  );
});

test('the tables fit a screen', async () => {
  const { stdout } = await frontdesk(['admin', 'delivery', 'list'], installation.variables);
  expect(stdout.split('\n')[0]).toMatch(
    /^id +result +event +receiver +sentAt +status +attempt +nextAttemptAt +durationMs +createdAt$/,
  );
});
