import { publishAll } from '#platform/notify/publisher.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

/** Writes events to the outbox. */
const leave = ({ database, subAccountId }: TestService, name: string, count: number) =>
  database.rows(
    `insert into outbox (sub_account_id, id, name, data, occurred_at)
     select $1, gen_random_uuid(), $2, '{}', now() from generate_series(1, $3::int)`,
    [subAccountId, name, count],
  );

describe('publishing wakes', () => {
  const SUBSCRIBE = `insert into webhook_subscriptions
    (sub_account_id, id, url, events, status, secret, position, paused_until, deleted_at,
     created_at, updated_at)
    values ($1, $2, 'https://example.com/', $3, $4, '', 0, $5, $6, now(), now())`;

  interface WakingInput {
    readonly owner?: string;
    readonly events?: readonly string[];
    readonly status?: string;
    readonly pausedUntil?: Date;
    readonly deletedAt?: Date;
  }

  async function subscribe({ database, subAccountId }: TestService, wanted: WakingInput = {}) {
    const { owner = subAccountId, events = ['task.created'], status = 'active' } = wanted;
    const id = crypto.randomUUID();
    const { pausedUntil = null, deletedAt = null } = wanted;
    await database.rows(SUBSCRIBE, [owner, id, events, status, pausedUntil, deletedAt]);
    return id;
  }

  const jobs = ({ database }: TestService) =>
    database.rows<any>(
      `select j.task_identifier as task, j.key, p.payload, j.max_attempts
       from graphile_worker.jobs j join graphile_worker._private_jobs p using (id) order by j.id`,
    );

  test('active subscriptions that select one of the events, each with one job', async ({
    service,
  }) => {
    const { subAccountId, otherSubAccountId, database } = service;
    const past = new Date(Date.now() - 1_000);
    const both = await subscribe(service, { events: ['task.updated', 'task.created'] });
    const one = await subscribe(service, { pausedUntil: past });
    const all = await subscribe(service, { events: ['*'] });
    await subscribe(service, { events: ['task.deleted'] });
    await subscribe(service, { status: 'disabled' });
    await subscribe(service, { deletedAt: past });
    await subscribe(service, { pausedUntil: new Date(Date.now() + 60_000) });
    await subscribe(service, { owner: otherSubAccountId });
    await leave(service, 'task.created', 10);
    await leave(service, 'task.updated', 10);
    await publishAll(database);
    await leave(service, 'task.created', 1);
    await publishAll(database);
    const found = await jobs(service);
    const name = (id: string) => `webhooks/deliver:${id}`;
    expect(new Set(found.map(({ key }) => key))).toEqual(
      new Set([name(both), name(one), name(all)]),
    );
    expect(found).toHaveLength(3);
    for (const { task, key, payload, max_attempts } of found) {
      expect([task, max_attempts]).toEqual(['webhooks/deliver', 25]);
      expect(payload).toEqual({ subAccountId, subscriptionId: key.split(':')[1] });
    }
  });

  test('active subscriptions that are far behind the head, in housekeeping', async ({
    service,
  }) => {
    const { subAccountId, otherSubAccountId, database } = service;
    const rare = await subscribe(service, { events: ['invoice.paid'] });
    await subscribe(service, { events: ['invoice.paid'], status: 'disabled' });
    await subscribe(service, { events: ['invoice.paid'], owner: otherSubAccountId });
    await leave(service, 'contact.updated', 10);
    await publishAll(database);
    const wake = async () => {
      await database.rows('select wake_far_behind(9)');
      return (await jobs(service)).map(({ key }) => key).filter((key) => key?.includes(rare));
    };
    await database.rows(
      `insert into workflow_readers (sub_account_id, position, names)
       values ($1, 0, '{invoice.paid}')`,
      [subAccountId],
    );
    expect(await wake()).toEqual([`webhooks/deliver:${rare}`]);
    const all = await jobs(service);
    expect(all.map(({ key }) => key)).toContain(`workflows/read-events:${subAccountId}`);
    const ofOthers = all.filter(({ payload }) => payload.subAccountId === otherSubAccountId);
    expect(ofOthers).toEqual([]);
    const before = await jobs(service);
    await database.rows('select wake_far_behind(10)');
    expect(await jobs(service)).toEqual(before);
  });

  test.for([
    ['keeps the place of a job that is due', "timestamptz '2020-01-01'", true],
    ['makes a job due that was planned for later', "now() + interval '1 h'", false],
  ] as const)('a subscription again, and %s', async ([, planned, isKept], { service }) => {
    const { database } = service;
    const key = `webhooks/deliver:${await subscribe(service)}`;
    await leave(service, 'task.created', 1);
    await publishAll(database);
    await database.rows(
      `update graphile_worker._private_jobs set run_at = ${planned} where key = $1`,
      [key],
    );
    await leave(service, 'task.created', 1);
    await publishAll(database);
    const found = await database.rows(
      `select run_at <= now() as "isDue", run_at = '2020-01-01' as "isKept"
       from graphile_worker._private_jobs where key = $1`,
      [key],
    );
    expect(found).toEqual([{ isDue: true, isKept }]);
  });

  test('no subscription if no event was published', async ({ service }) => {
    await subscribe(service);
    const before = await jobs(service);
    await publishAll(service.database);
    expect(await jobs(service)).toEqual(before);
  });
});
