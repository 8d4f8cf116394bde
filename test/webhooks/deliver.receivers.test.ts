import { describe, expect, test, vi } from 'vitest';
import { settled, startDelivering, WAIT } from '../support/deliveries.ts';
import { startSink as sink } from '../support/https-sink.ts';

describe('a receiver that is gone', () => {
  test('by 410 is switched off at once; what waits for it is closed and its admins are told', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(410).end();
    const delivering = await startDelivering();
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await vi.waitFor(
      async () =>
        expect(await delivering.subscription(id)).toMatchObject({
          status: 'disabled',
          disabled_reason: 'the receiver answered 410 Gone',
        }),
      WAIT,
    );
    expect(await settled(delivering, id, 1)).toHaveLength(1);
    await delivering.createContacts(sub, 1);
    const [audited] = await delivering.database.rows<any>(
      'select actor, operation from audit_entries where record_id = $1',
      [id],
    );
    expect(audited).toEqual({ actor: 'webhooks/deliver', operation: 'webhooks/deliver' });
    expect(receiver.requests).toHaveLength(1);
    await receiver.close();
  });

  test('for five days is switched off with the next failure', async () => {
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
    await vi.waitFor(
      async () =>
        expect(await delivering.subscription(id)).toMatchObject({
          status: 'disabled',
          disabled_reason: 'every attempt failed for 5 days',
        }),
      WAIT,
    );
    const rows = await settled(delivering, id, 1);
    expect(rows[0]).toMatchObject({ status: 'failed', nextAttemptAt: null });
    await receiver.close();
  });
});

describe('one receiver', () => {
  test('that hangs holds up neither another subscription nor another sub-account', async () => {
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

  test('that fails for long is tried one at a time, and served at full speed once it is well', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '300ms,300ms,300ms' });
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
  }, 30_000);
});
