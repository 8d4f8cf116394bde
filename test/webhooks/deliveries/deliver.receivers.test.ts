import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { settled, startDelivering, WAIT, type Delivering } from '../../support/deliveries.ts';
import { startSink as sink } from '../../support/https-sink.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { OPERATOR } from '../../support/service.ts';
import { updateSubscription } from '../../../src/webhooks/subscriptions/update-subscription.ts';

const isDisabled = (delivering: Delivering, id: string, reason: string) =>
  vi.waitFor(async () => {
    const disabled = { status: 'disabled', disabled_reason: reason };
    expect(await delivering.subscription(id)).toMatchObject(disabled);
  }, WAIT);

describe('a receiver', () => {
  test('returning 410 disables the subscription at once, fails pending attempts and notifies the admins', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(410).end();
    const post = await startMailServer();
    const delivering = await startDelivering({
      FRONTDESK_SMTP_URL: post.url,
      FRONTDESK_MAIL_FROM: 'desk@frontdesk.example',
    });
    const sub = await delivering.subAccount();
    await delivering.database.rows(
      `update sub_accounts set admins = $2, locale = 'fr' where id = $1`,
      [sub, ['owner@harbour.example']],
    );
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await isDisabled(delivering, id, 'the receiver returned 410 Gone');
    expect(await settled(delivering, id, 1)).toHaveLength(1);
    await delivering.createContacts(sub, 1);
    const [audited] = await delivering.database.rows<any>(
      'select actor, operation from audit_entries where record_id = $1',
      [id],
    );
    expect(audited).toEqual({ actor: 'webhooks/deliver', operation: 'webhooks/deliver' });
    expect(receiver.requests).toHaveLength(1);
    const [mail] = await post.next(1);
    expect(mail).toMatchObject({ from: 'desk@frontdesk.example', to: ['owner@harbour.example'] });
    expect(mail?.text).toContain('le destinataire a répondu 410 Gone');
    await Promise.all([receiver.close(), post.close()]);
  });

  test('failing for five days disables the subscription with the next failure', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '10m' });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.database.rows(
      `update webhook_subscriptions
       set consecutive_failures = 7, failing_since = now() - interval '5 days' where id = $1`,
      [id],
    );
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await isDisabled(delivering, id, 'every attempt failed for 5 days');
    const rows = await settled(delivering, id, 1);
    expect(rows[0]).toMatchObject({ status: 'failed', nextAttemptAt: null });
    await receiver.close();
  });
});

describe('a subscription that is disabled while a request is in flight', () => {
  test('gets no further attempts, and no job is left', async () => {
    const receiver = await sink();
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '1s,1s' });
    const { database, transact } = delivering;
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await vi.waitFor(() => expect(held).toHaveLength(1), WAIT);
    await transact(sub, OPERATOR, (work) => updateSubscription(work, id, { status: 'disabled' }));
    held[0]?.writeHead(500).end();
    await vi.waitFor(async () => {
      const statuses = (await delivering.attempts(id)).map(({ status }) => status);
      expect(statuses).toEqual(['failed', 'failed']);
      const jobs = await database.rows('select from graphile_worker._private_jobs', []);
      expect(jobs).toEqual([]);
    }, WAIT);
    expect(receiver.requests).toHaveLength(1);
    await receiver.close();
  });
});

describe('one receiver', () => {
  test('that hangs delays neither another subscription nor another sub-account', async () => {
    const [dead, healthy] = await Promise.all([sink(), sink()]);
    dead.answer = () => undefined;
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_TIMEOUT: '60s' });
    const [a, b] = [await delivering.subAccount(), await delivering.subAccount()];
    const stuck = await delivering.subscribe(a, dead.url);
    await delivering.subscribe(a, healthy.url);
    await delivering.subscribe(b, healthy.url);
    await delivering.startWorker();
    await Promise.all([delivering.createContacts(a, 40), delivering.createContacts(b, 40)]);
    expect(await healthy.next(80)).toHaveLength(80);
    expect(dead.requests.length).toBeLessThanOrEqual(24);
    expect(await delivering.attempts(stuck)).toEqual([]);
    await dead.close();
    await healthy.close();
  });

  test('that fails repeatedly gets one request at a time, and full speed once it works', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(500).end();
    // So many that no event is given up, however long the first hundred attempts take.
    const delivering = await startDelivering({
      FRONTDESK_WEBHOOK_RETRIES: Array(50).fill('300ms').join(),
    });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.createContacts(sub, 150);
    await delivering.startWorker();
    await vi.waitFor(
      async () => expect((await delivering.subscription(id)).paused_until).not.toBeNull(),
      WAIT,
    );
    const tried = receiver.requests.length;
    expect(tried).toBeGreaterThanOrEqual(100);
    expect(tried).toBeLessThan(150);
    receiver.answer = (_, response) => response.writeHead(204).end();
    await delivering.createContacts(sub, 1);
    await vi.waitFor(async () => {
      const rows = await delivering.attempts(id);
      const delivered = rows.filter(({ status }) => status === 'succeeded');
      expect(new Set(delivered.map(({ eventId }) => eventId)).size).toBe(151);
    }, WAIT);
    await receiver.close();
  });

  test('gets every event although it fails, hangs, resets, drips and redirects', async () => {
    const receiver = await sink();
    const tries = new Map<string, number>();
    const misbehaving = new Map<string, (response: ServerResponse) => unknown>();
    receiver.answer = (request, response) => {
      const id = String(request.headers['x-webhook-event-id']);
      const tried = tries.get(id) ?? 0;
      tries.set(id, tried + 1);
      // Every third event succeeds at its third attempt.
      if (tried === 0 && tries.size % 3 === 0) {
        misbehaving.set(id, MISBEHAVIOURS[(tries.size / 3) % MISBEHAVIOURS.length]!);
      }
      const misbehave = tried < 2 ? misbehaving.get(id) : undefined;
      return misbehave ? misbehave(response) : response.writeHead(204).end();
    };
    const delivering = await startDelivering({
      FRONTDESK_WEBHOOK_TIMEOUT: '2s',
      FRONTDESK_WEBHOOK_RETRIES: Array(9).fill('100ms').join(),
    });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 100);
    await vi.waitFor(async () => {
      const rows = await delivering.attempts(id);
      const delivered = rows.filter(({ status }) => status === 'succeeded');
      expect(new Set(delivered.map(({ eventId }) => eventId)).size).toBe(100);
      expect(rows.map(({ status }) => status)).not.toContain('pending');
    }, WAIT);
    // On a busy machine a success may time out, which makes further attempts.
    const repeated = [...misbehaving.keys()].filter((eventId) => (tries.get(eventId) ?? 0) >= 3);
    expect(repeated).toHaveLength(33);
    await receiver.close();
  });
});

const MISBEHAVIOURS: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => response.writeHead(500).end('broken'),
  () => undefined,
  (response) => response.socket?.resetAndDestroy(),
  (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  (response) => {
    const dripping = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(dripping));
  },
];
