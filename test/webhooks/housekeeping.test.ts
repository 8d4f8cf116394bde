import { newId } from '#lib/id.ts';
import { keepHouse } from '../support/keep-house.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { attempt, deliveryRow, PATH, subscribe } from './subscriptions/subscriptions.support.ts';

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const SHORTLY = 0.01;
/** The clock of a worker: housekeeping goes by that of the database. */
const AHEAD = { clock: () => daysAgo(-100) };

async function idsIn({ database, subAccountId }: TestService, table: string) {
  const rows = await database.rows<{ id: string }>(
    `select id from ${table} where sub_account_id = $1`,
    [subAccountId],
  );
  return new Set(rows.map(({ id }) => id));
}

async function eventOf({ database, subAccountId }: TestService, occurredAt: Date) {
  const id = newId(occurredAt);
  await database.rows(
    `insert into events (sub_account_id, id, position, name, data, occurred_at)
     values ($1, $2, nextval('event_positions'), 'task.created', '{}', $3)`,
    [subAccountId, id, occurredAt],
  );
  return id;
}

describe('housekeeping', () => {
  test('keeps events for 30 days', async ({ service }) => {
    await eventOf(service, daysAgo(30 + SHORTLY));
    await eventOf(service, daysAgo(300));
    const kept = [
      await eventOf(service, daysAgo(30 - SHORTLY)),
      await eventOf(service, daysAgo(0)),
    ];
    await keepHouse(service, AHEAD);
    expect(await idsIn(service, 'events')).toEqual(new Set(kept));
  });

  test('fails what is pending of a deleted subscription', async ({ service }) => {
    const { id: subscription_id } = await subscribe(service);
    const other = await subscribe(service);
    await service.call(`DELETE ${PATH}/${subscription_id}`);
    const [left, live] = [
      await attempt(service, { subscription_id }),
      await attempt(service, { subscription_id: other.id }),
    ];
    await keepHouse(service, AHEAD);
    expect(await deliveryRow(service, left)).toMatchObject({
      status: 'failed',
      error: 'the subscription was deleted',
      next_attempt_at: null,
    });
    expect((await deliveryRow(service, live)).status).toBe('pending');
  });

  test('fails what is due of an event that is deleted', async ({ service }) => {
    const { id: subscription_id } = await subscribe(service);
    const event_id = await eventOf(service, daysAgo(1));
    const next_attempt_at = daysAgo(SHORTLY);
    const lost = await attempt(service, { subscription_id, next_attempt_at });
    const live = await attempt(service, { subscription_id, next_attempt_at, event_id });
    await keepHouse(service, AHEAD);
    expect(await deliveryRow(service, lost)).toMatchObject({
      status: 'failed',
      error: 'the event is no longer stored',
      next_attempt_at: null,
    });
    expect((await deliveryRow(service, live)).status).toBe('pending');
  });

  test('keeps attempts for 30 days, whatever their outcome', async ({ service }) => {
    const { id: subscription_id } = await subscribe(service);
    const of = (days: number, status?: string) =>
      attempt(service, { subscription_id, created_at: daysAgo(days), ...(status && { status }) });
    await of(30 + SHORTLY, 'failed');
    await of(31, 'succeeded');
    await of(31);
    const kept = [await of(30 - SHORTLY, 'failed'), await of(1, 'succeeded'), await of(29)];
    await keepHouse(service, AHEAD);
    expect(await idsIn(service, 'webhook_deliveries')).toEqual(new Set(kept));
  });

  test('keeps deleted subscriptions and their attempts for 30 days, and live ones forever', async ({
    service,
  }) => {
    const { database, call } = service;
    const [gone, leaving, live] = [
      await subscribe(service),
      await subscribe(service),
      await subscribe(service),
    ];
    for (const [{ id }, days] of [
      [gone, 30 + SHORTLY],
      [leaving, 30 - SHORTLY],
    ] as const) {
      await call(`DELETE ${PATH}/${id}`);
      await database.rows('update webhook_subscriptions set deleted_at = $2 where id = $1', [
        id,
        daysAgo(days),
      ]);
    }
    await database.rows('update webhook_subscriptions set created_at = $2 where id = $1', [
      live.id,
      daysAgo(900),
    ]);
    await attempt(service, { subscription_id: gone.id, status: 'failed' });
    const kept = await attempt(service, { subscription_id: leaving.id, status: 'failed' });
    await keepHouse(service, AHEAD);
    const left = await idsIn(service, 'webhook_subscriptions');
    expect([gone, leaving, live].map(({ id }) => left.has(id))).toEqual([false, true, true]);
    expect(await idsIn(service, 'webhook_deliveries')).toEqual(new Set([kept]));
    expect(await call(`GET ${PATH}/${live.id}`)).toMatchObject({ status: 200 });
  });

  test('deletes batches of ten thousand rows until none is left', async ({ service }) => {
    const { database, subAccountId } = service;
    await database.rows(
      `insert into events (sub_account_id, id, position, name, data, occurred_at)
       select $1, id, nextval('event_positions'), 'task.created', '{}', $2
       from unnest($3::uuid[]) as id`,
      [subAccountId, daysAgo(31), Array.from({ length: 20_500 }, () => newId(daysAgo(31)))],
    );
    expect((await keepHouse(service, AHEAD)).filter((count) => count > 0)).toEqual([
      10_000, 10_000, 500,
    ]);
    expect(await idsIn(service, 'events')).toEqual(new Set());
  });

  test('keeps a cursor of the feed valid when its event is deleted', async ({ service }) => {
    const { call } = service;
    await eventOf(service, daysAgo(31));
    const { cursor } = (await call('GET /api/v1/events')).body.meta;
    await keepHouse(service, AHEAD);
    const next = await eventOf(service, daysAgo(0));
    const { body } = await call(`GET /api/v1/events?after=${cursor}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([next]);
  });
});
