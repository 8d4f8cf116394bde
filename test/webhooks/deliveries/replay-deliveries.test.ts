import { describe, expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import {
  countReplay,
  replayDeliveries,
} from '../../../src/webhooks/deliveries/replay-deliveries.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { OPERATOR } from '../../support/service.ts';

const NOON = new Date('2026-11-01T12:00:00.000Z');
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);
const NOWHERE = 'http://127.0.0.1:1/';

/** Writes published events in order, one per minute from noon on. */
async function events(
  { database }: Delivering,
  subAccountId: string,
  names: readonly string[],
): Promise<string[]> {
  const ids = names.map((_, index) => newId(minutes(index)));
  await database.rows(
    `insert into events (sub_account_id, id, position, name, data, occurred_at)
     select $1, id, nextval('event_positions'), name, '{}', $4::timestamptz + (n - 1) * interval '1 min'
     from unnest($2::uuid[], $3::text[]) with ordinality as e (id, name, n) order by n`,
    [subAccountId, ids, names, NOON],
  );
  return ids;
}

const attempt = (
  { database }: Delivering,
  subAccountId: string,
  subscriptionId: string,
  row: { event: string; attempt: number; status: string; trigger?: string },
) =>
  database.rows(
    `insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event, attempt,
       trigger, status, created_at, next_attempt_at)
     values ($1, $2, $3, $4, 'contact.created', $5, $6, $7, $8, $8)`,
    [
      subAccountId,
      newId(NOON),
      subscriptionId,
      row.event,
      row.attempt,
      row.trigger ?? 'scheduled',
      row.status,
      NOON,
    ],
  );

const served = ({ database }: Delivering, id: string) =>
  database.rows('update webhook_subscriptions set position = 1000000 where id = $1', [id]);

async function setUp() {
  const service = await startDelivering();
  const subAccountId = await service.subAccount();
  const subscriptionId = await service.subscribe(subAccountId, NOWHERE);
  const replay = (since: Date, subscription = subscriptionId) =>
    service.transact(subAccountId, OPERATOR, (work) =>
      replayDeliveries(work, { subscriptionId: subscription, since }),
    );
  const count = (since: Date) =>
    countReplay(service.openView(subAccountId, new Date()), { subscriptionId, since });
  const jobs = () =>
    service.database.rows<{ key: string }>(
      `select key from graphile_worker._private_jobs where key like 'webhooks/%'`,
    );
  const pending = async () =>
    (await service.attempts(subscriptionId))
      .filter(({ status }) => status === 'pending')
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  return { service, subAccountId, subscriptionId, replay, count, jobs, pending };
}

describe('a replay', () => {
  test('queues one manual attempt, due now, per selected event since then, in order', async () => {
    const { service, subAccountId, subscriptionId, replay, count, jobs, pending } = await setUp();
    const names = ['contact.created', 'contact.created', 'task.created', 'contact.created'];
    const [, second, , fourth] = await events(service, subAccountId, names);
    await served(service, subscriptionId);
    expect(await count(minutes(1))).toBe(2);
    const before = Date.now();
    expect(await replay(minutes(1))).toBe(2);
    const rows = await pending();
    expect(rows.map(({ eventId }) => eventId)).toEqual([second, fourth]);
    for (const row of rows) {
      expect(row).toMatchObject({
        event: 'contact.created',
        attempt: 1,
        trigger: 'manual',
        responseStatus: null,
        error: null,
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
      });
      expect(row.nextAttemptAt).toEqual(row.createdAt);
      expect(Number(row.createdAt)).toBeGreaterThanOrEqual(before - 1);
      expect(Number.parseInt(row.id.replace('-', '').slice(0, 12), 16)).toBe(Number(row.createdAt));
    }
    expect(await jobs()).toEqual([{ key: `webhooks/deliver:${subscriptionId}` }]);
    const [audited] = await service.database.rows(
      `select count(*)::int as entries from audit_entries
       where sub_account_id = $1 and record_id = $2`,
      [subAccountId, subscriptionId],
    );
    expect(audited).toEqual({ entries: 1 });
  });

  test('and another one at once queue each event once, twenty times', async () => {
    const { service, subAccountId, subscriptionId, replay, pending } = await setUp();
    await events(service, subAccountId, ['contact.created', 'contact.created']);
    await served(service, subscriptionId);
    for (let time = 0; time < 20; time += 1) {
      const counts = await Promise.all([replay(minutes(0)), replay(minutes(0))]);
      expect(counts.toSorted()).toEqual([0, 2]);
      expect(await pending()).toHaveLength(2);
      await service.database.rows('delete from webhook_deliveries where subscription_id = $1', [
        subscriptionId,
      ]);
    }
  });

  test('of a subscription to all events sends each of them', async () => {
    const { service, subAccountId, count } = await setUp();
    const all = await service.subscribe(subAccountId, NOWHERE, ['*']);
    await events(service, subAccountId, ['contact.created', 'event.of_a_later_release']);
    await served(service, all);
    const replayed = { subscriptionId: all, since: minutes(0) };
    expect(await countReplay(service.openView(subAccountId, new Date()), replayed)).toBe(2);
    expect(await count(minutes(0))).toBe(0);
  });

  test('ends before a time, and can be of one event', async () => {
    const { service, subAccountId, pending } = await setUp();
    const all = await service.subscribe(subAccountId, NOWHERE, ['*']);
    const names = ['task.created', 'contact.created', 'task.created', 'task.created'];
    const [first, , third] = await events(service, subAccountId, names);
    await served(service, all);
    const replayed = { subscriptionId: all, since: minutes(0), until: minutes(3) };
    const view = service.openView(subAccountId, new Date());
    expect(await countReplay(view, replayed)).toBe(3);
    const ofTasks = { ...replayed, event: 'task.created' };
    expect(await countReplay(view, ofTasks)).toBe(2);
    const sent = await service.transact(subAccountId, OPERATOR, (work) =>
      replayDeliveries(work, ofTasks),
    );
    expect(sent).toBe(2);
    expect(await pending()).toEqual([]);
    const queued = (await service.attempts(all)).map(({ eventId }) => eventId);
    expect(new Set(queued)).toEqual(new Set([first, third]));
  });

  test('of failed events leaves out those that were delivered or never tried', async () => {
    const { service, subAccountId, subscriptionId, pending } = await setUp();
    const names = Array.from({ length: 4 }, () => 'contact.created');
    const ids = await events(service, subAccountId, names);
    await served(service, subscriptionId);
    const [delivered = '', late = '', failed = ''] = ids;
    const made = (event: string, number: number, status: string) =>
      attempt(service, subAccountId, subscriptionId, { event, attempt: number, status });
    await made(delivered, 1, 'succeeded');
    await made(late, 1, 'failed');
    await made(late, 2, 'succeeded');
    await made(failed, 1, 'failed');
    const selected = { subscriptionId, since: minutes(0) };
    const view = service.openView(subAccountId, new Date());
    expect(await countReplay(view, selected)).toBe(4);
    expect(await countReplay(view, { ...selected, only: 'failed' })).toBe(1);
    const replayed = await service.transact(subAccountId, OPERATOR, (work) =>
      replayDeliveries(work, { ...selected, only: 'failed' }),
    );
    expect(replayed).toBe(1);
    expect((await pending()).map(({ eventId }) => eventId)).toEqual([failed]);
  });

  test('continues the attempt count of each event', async () => {
    const { service, subAccountId, subscriptionId, replay, pending } = await setUp();
    const [first = '', second = ''] = await events(service, subAccountId, [
      'contact.created',
      'contact.created',
    ]);
    await attempt(service, subAccountId, subscriptionId, {
      event: first,
      attempt: 1,
      status: 'failed',
    });
    await attempt(service, subAccountId, subscriptionId, {
      event: first,
      attempt: 2,
      status: 'pending',
    });
    await attempt(service, subAccountId, subscriptionId, {
      event: second,
      attempt: 8,
      status: 'succeeded',
    });
    expect(await replay(NOON)).toBe(2);
    const manual = (await pending()).filter(({ trigger }) => trigger === 'manual');
    expect(manual.map(({ eventId, attempt }) => [eventId, attempt])).toEqual([
      [first, 3],
      [second, 9],
    ]);
  });

  test('skips events that are about to be sent anyway', async () => {
    const { service, subAccountId, subscriptionId, replay, jobs } = await setUp();
    await events(service, subAccountId, ['contact.created', 'contact.created']);
    expect(await replay(NOON)).toBe(0);
    expect(await jobs()).toEqual([]);
    await served(service, subscriptionId);
    expect(await replay(NOON)).toBe(2);
    expect(await replay(NOON)).toBe(0);
  });

  test('sends a disabled subscription events without an attempt', async () => {
    const { service, subAccountId, subscriptionId, replay } = await setUp();
    await events(service, subAccountId, ['contact.created']);
    await service.database.rows(
      `update webhook_subscriptions set status = 'disabled' where id = $1`,
      [subscriptionId],
    );
    expect(await replay(NOON)).toBe(1);
  });

  test('ends a pause of the breaker', async () => {
    const { service, subAccountId, subscriptionId, replay } = await setUp();
    await events(service, subAccountId, ['contact.created']);
    await service.database.rows(
      `update webhook_subscriptions set paused_until = now() + interval '1 h', position = 1000000
       where id = $1`,
      [subscriptionId],
    );
    await replay(NOON);
    expect(await service.subscription(subscriptionId)).toMatchObject({ paused_until: null });
  });

  test('is refused for a foreign or unknown subscription', async () => {
    const { service, replay } = await setUp();
    const foreign = await service.subscribe(await service.subAccount(), NOWHERE);
    await expect(replay(NOON, foreign)).rejects.toThrow('webhook subscription not found');
    await expect(replay(NOON, newId(NOON))).rejects.toThrow('webhook subscription not found');
  });

  test('queues 100,000 events in one statement, in order', async () => {
    const { service, subAccountId, subscriptionId, replay } = await setUp();
    await service.database.rows(
      `insert into events (sub_account_id, id, position, name, data, occurred_at)
       select $1, gen_random_uuid(), n, 'contact.created', '{}', $2::timestamptz + n * interval '1 ms'
       from generate_series(1, 100000) n`,
      [subAccountId, NOON],
    );
    await served(service, subscriptionId);
    const heap = process.memoryUsage().heapUsed;
    expect(await replay(NOON)).toBe(100_000);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(30_000_000);
    const [disorder] = await service.database.rows(
      `select count(*) from (
         select e.position - lag(e.position) over (order by d.id) as step
         from webhook_deliveries d join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
       ) as steps where step <> 1`,
    );
    expect(disorder).toEqual({ count: 0 });
  });
});
