import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  startFollowing,
  startInstallation,
  type Installation,
} from '../../support/command-line.ts';
import { frontdesk } from '../../support/frontdesk.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';

let installation: Installation;
let sink: Sink;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());
beforeEach(async () => {
  sink = await startSink();
  onTestFinished(() => sink.close());
});

/** Only what a developer's machine has. */
const listen = (args: readonly string[] = [], variables: Record<string, string> = {}) =>
  startFollowing(
    ['webhook', 'listen', '--forward-to', `${sink.url}/hook`, '--url', installation.url, ...args],
    { FRONTDESK_API_KEY: installation.key, ...variables },
  );
const hmac = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;

/** An API with responses of the test. */
async function startApi(answer: (path: string) => [number, object, Record<string, string>?]) {
  const paths: string[] = [];
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const [status, body, headers = {}] = answer(request.url ?? '');
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, paths };
}

describe('webhook listen', () => {
  test('forwards later events, signed like deliveries', async () => {
    await installation.createContact('Before');
    const listening = listen(['--json']);
    const [ready] = await listening.next(1);
    expect(ready).toEqual({
      ready: true,
      url: installation.url,
      forwardTo: `${sink.url}/hook`,
      secret: expect.stringMatching(/^whsec_\w{32,}$/),
    });
    const contactId = await installation.createContact('Ada');
    const [request] = await sink.next(1);
    const body = String(request?.body);
    const feed = await installation.client.events.list();
    const { id, ...event } = feed.data.at(-1)!;
    expect(JSON.parse(body)).toEqual(event);
    expect(event).toMatchObject({ event: 'contact.created', data: { contactId } });
    const timestamp = String(request?.headers['x-webhook-timestamp']);
    expect(Math.abs(Date.now() - Number(timestamp))).toBeLessThan(60_000);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Frontdesk-Webhooks/1.0',
        'x-webhook-event': 'contact.created',
        'x-webhook-event-id': id,
        'x-webhook-delivery': expect.stringMatching(/^[\da-f-]{36}$/),
        'x-webhook-signature': hmac(ready.secret, body),
        'x-webhook-signature-v2': hmac(ready.secret, `${timestamp}.${body}`),
      },
    });
    expect(
      new Webhook(ready.secret).verify(body, request?.headers as Record<string, string>),
    ).toEqual(event);
    const lines = await listening.next(2);
    expect(lines[1]).toEqual({
      at: expect.any(String),
      id,
      event: 'contact.created',
      timestamp: event.timestamp,
      contactId,
      responseStatus: 200,
      error: null,
      durationMs: expect.any(Number),
    });
    expect(await listening.end('SIGINT')).toBe(0);
    expect(listening.stderr()).toBe('');
    expect(sink.requests).toHaveLength(1);
  });

  test('forwards a burst completely and in order, and only the chosen events', async () => {
    const secret = 'whsec_of_my_own';
    const listening = listen(['--json', '--events', 'contact.created', '--secret', secret]);
    const [ready] = await listening.next(1);
    expect(ready.secret).toBe(secret);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      const id = await installation.createContact(name);
      await installation.client.contacts.update(id, { company: name });
      ids.push(id);
    }
    const lines = await listening.next(4);
    expect(lines.slice(1).map(({ contactId }) => contactId)).toEqual(ids);
    expect(sink.requests.map(({ headers }) => headers['x-webhook-event'])).toEqual(
      ids.map(() => 'contact.created'),
    );
    expect(
      sink.requests.map(
        ({ headers, body }) => headers['x-webhook-signature'] === hmac(secret, String(body)),
      ),
    ).toEqual([true, true, true]);
    expect(await listening.end('SIGTERM')).toBe(0);
  });

  test('prints a line per event, and skips events that the receiver refuses', async () => {
    sink.answer = (_, response) => void response.writeHead(500).end();
    const listening = listen();
    await listening.next(2);
    expect(listening.stdout()).toMatch(/^Ready\. Signing secret: whsec_\w+\n/);
    await installation.createContact('Ada');
    await listening.next(3);
    const id = sink.requests[0]?.headers['webhook-id'];
    expect(listening.stdout()).toMatch(
      new RegExp(`\n\\S+Z  contact\\.created  ${String(id)}  500  \\d+ ms\n$`),
    );
    await sink.close();
    await installation.createContact('Eve');
    await listening.next(4);
    expect(listening.stdout()).toMatch(
      /skipped: connect ECONNREFUSED 127\.0\.0\.1:\d+ {2}\d+ ms\n$/,
    );
    expect(await listening.end()).toBe(0);
    sink = await startSink();
  });

  test('accepts an agency key with a sub-account', async () => {
    const { admin, subAccountId } = installation;
    const { json } = await admin('key create --agency --name A --scopes webhooks:manage');
    const listening = listen(['--json', '--key', json.key, '--sub-account', subAccountId]);
    await listening.next(1);
    await installation.createContact('Ada');
    await sink.next(1);
    expect(await listening.end()).toBe(0);
  });

  test.for([
    [['--key', 'sk_live_nonsense'], /^frontdesk: the API refuses the request: .+\n$/],
    [
      ['--sub-account', '00000000-0000-7000-8000-000000000000'],
      /^frontdesk: the API refuses the request: .+\n$/,
    ],
  ] as const)('exits 1 with the reason if the API refuses: %s', async ([args, said]) => {
    const listening = listen([...args]);
    expect(await listening.exited).toBe(1);
    expect(listening.stdout()).toBe('');
    expect(listening.stderr()).toMatch(said);
  });

  test('exits 1 if the key lacks the scope', async () => {
    const { admin, subAccountId } = installation;
    const { json } = await admin(
      `key create --name K --scopes tasks:read --sub-account ${subAccountId}`,
    );
    const listening = listen(['--key', json.key, '--json']);
    expect(await listening.exited).toBe(1);
    expect(JSON.parse(listening.stderr()).error.message).toContain('webhooks:manage');
  });

  test('waits for an unavailable API, reports it once, and continues at its position', async () => {
    let isAway = true;
    const event = { id: 'e1', event: 'task.created', timestamp: 't', data: { taskId: '1' } };
    const api = await startApi((path) => {
      if (isAway) {
        return [503, { error: { code: 'SERVICE_UNAVAILABLE', message: 'the database is away' } }];
      }
      const isFirst = path.includes('start=latest');
      const meta = { cursor: isFirst ? 'c1' : 'c2', hasMore: false };
      return [200, { data: path.includes('after=c1') ? [event] : [], meta }];
    });
    const listening = listen(['--json', '--url', api.url]);
    await listening.complaint(': the database is away; trying again');
    expect(listening.stdout()).toBe('');
    isAway = false;
    const lines = await listening.next(2);
    expect(lines[1]).toMatchObject({ id: 'e1', contactId: null, responseStatus: 200 });
    await listening.complaint('again, after');
    expect(listening.stderr().split('\n')).toHaveLength(3);
    expect(await listening.end()).toBe(0);
    expect(api.paths[0]).toBe('/api/v1/events?start=latest&limit=1');
    expect(api.paths.at(-1)).toMatch(/after=c[12]&limit=100$/);
  });

  test('obeys Retry-After, and exits 0 when stopped while it waits', async () => {
    const askedAt: number[] = [];
    const api = await startApi(() => [
      429,
      { error: { code: 'RATE_LIMITED', message: 'too many requests' } },
      { 'retry-after': askedAt.push(performance.now()) === 1 ? '3' : '3600' },
    ]);
    const listening = listen(['--url', api.url]);
    await expect.poll(() => askedAt).toHaveLength(2);
    const [first = 0, second = 0] = askedAt;
    expect(second - first).toBeGreaterThanOrEqual(3_000);
    await listening.complaint('too many requests');
    expect(await listening.end('SIGINT')).toBe(0);
    expect(api.paths).toHaveLength(2);
    expect(listening.stdout()).toBe('');
  });

  test('fetches the next page at once while there is one', async () => {
    const PAGES = 200;
    const api = await startApi((path) => {
      const page = path.includes('start=') ? 0 : Number(/after=(\d+)/.exec(path)?.[1]) + 1;
      const data = [{ id: `e${page}`, event: 'task.created', timestamp: 't', data: {} }];
      return [200, { data, meta: { cursor: String(page), hasMore: page < PAGES } }];
    });
    const listening = listen(['--json', '--url', api.url]);
    // With a pause of a second between pages, the wait would end before.
    const lines = await listening.next(PAGES + 2);
    expect(lines[PAGES + 1]).toMatchObject({ id: `e${PAGES}` });
    expect(await listening.end()).toBe(0);
  });
});

describe('wrong usage of webhook listen', () => {
  test.for([
    [['--forward-to', 'localhost:1'], /needs --key <key>, or FRONTDESK_API_KEY/],
    [[], /needs --forward-to <url>/],
    [['--forward-to', 'ftp://x'], /--forward-to <url>: ftp:\/\/x was given; it must be an http/],
    [
      ['--forward-to', 'x', '--key', 'k', '--events', 'a.b,task.created'],
      /unknown event "a\.b"; allowed: contact\.created/,
    ],
    [['--forward-to', 'x', '--key', 'k', '--secret', 's'], /whsec_/],
    [['--forward-to', 'x', '--key', 'a b'], /must be an API key/],
  ] as const)('%s', async ([args, said]) => {
    const { code, stdout, stderr } = await frontdesk(['webhook', 'listen', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
  });
});
