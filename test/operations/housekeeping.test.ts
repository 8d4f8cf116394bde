import { keepHouse } from '../support/keep-house.ts';
import { inviteAs } from '../support/people.ts';
import { expect, test } from '../support/service.ts';

test('jobs that failed for good are kept for a month, others until they are done', async ({
  service,
}) => {
  const { database } = service;
  const job = async (name: string, state: string) => {
    await database.rows('select graphile_worker.add_job($1, max_attempts => 1)', [name]);
    await database.rows(
      `update graphile_worker._private_jobs set ${state} where task_id =
         (select id from graphile_worker._private_tasks where identifier = $1)`,
      [name],
    );
  };
  const old = `updated_at = now() - interval '31 d'`;
  await job('test/given-up', `attempts = 1, ${old}`);
  await job('test/given-up-lately', `attempts = 1, updated_at = now() - interval '29 d'`);
  await job('test/runs', `attempts = 1, locked_at = now(), locked_by = 'w', ${old}`);
  await job('test/waits', `run_at = now() + interval '1 y', ${old}`);
  await keepHouse(service);
  const left = await database.rows<{ name: string }>(
    `select identifier as name from graphile_worker._private_jobs
     join graphile_worker._private_tasks t on t.id = task_id where identifier like 'test/%' order by 1`,
  );
  expect(left.map(({ name }) => name)).toEqual(['test/given-up-lately', 'test/runs', 'test/waits']);
});

test('jobs that were queued while the clock of the database was ahead keep their waits from now on', async ({
  service,
}) => {
  const { database } = service;
  const ahead = `now() + interval '400 d'`;
  const job = async (name: string, state: string) => {
    await database.rows('select graphile_worker.add_job($1)', [name]);
    await database.rows(
      `update graphile_worker._private_jobs set ${state} where task_id =
         (select id from graphile_worker._private_tasks where identifier = $1)`,
      [name],
    );
  };
  await job('ahead/at-once', `updated_at = ${ahead}, run_at = ${ahead}`);
  await job('ahead/later', `updated_at = ${ahead}, run_at = ${ahead} + interval '30 min'`);
  await job('ahead/on-a-day', `updated_at = ${ahead}, run_at = now() + interval '10 d'`);
  await job('ahead/on-a-day-after', `updated_at = ${ahead}, run_at = ${ahead} + interval '10 d'`);
  await job('ahead/runs', `updated_at = ${ahead}, run_at = ${ahead}, locked_at = ${ahead}`);
  await keepHouse(service);
  const left = await database.rows<{ name: string; minutes: number }>(
    `select identifier as name, round(extract(epoch from run_at - now()) / 60)::int as minutes
     from graphile_worker._private_jobs join graphile_worker._private_tasks t on t.id = task_id
     where identifier like 'ahead/%' order by 1`,
  );
  const DAY = 24 * 60;
  expect(left).toEqual([
    { name: 'ahead/at-once', minutes: 0 },
    { name: 'ahead/later', minutes: 30 },
    { name: 'ahead/on-a-day', minutes: 10 * DAY },
    { name: 'ahead/on-a-day-after', minutes: 410 * DAY },
    { name: 'ahead/runs', minutes: 400 * DAY },
  ]);
});

test('changes and presences are kept for an hour, the epoch of the changes for good', async ({
  service,
}) => {
  const { database, subAccountId } = service;
  const conversationId = crypto.randomUUID();
  await database.rows(
    `insert into changes (sub_account_id, xid, topic, record_id, noted_at) values
       ($1, '0', 'epoch', $2, now() - interval '9 hours'),
       ($1, '7', 'task', $2, now() - interval '61 minutes'),
       ($1, '8', 'tag', $2, now() - interval '59 minutes')`,
    [subAccountId, conversationId],
  );
  await database.rows(
    `insert into presences (sub_account_id, conversation_id, participant, name, seen_at) values
       ($1, $2, 'old', 'Ada', now() - interval '61 minutes'),
       ($1, $2, 'new', 'Ben', now())`,
    [subAccountId, conversationId],
  );
  await keepHouse(service);
  const left = await database.rows<{ name: string }>(
    `select topic as name from changes where sub_account_id = $1 and record_id = $2
       and topic <> 'presence'
     union all select participant from presences where sub_account_id = $1 order by 1`,
    [subAccountId, conversationId],
  );
  expect(left.map(({ name }) => name)).toEqual(['epoch', 'new', 'tag']);
});

test('sessions are kept while they work, and links for an hour after they expired', async ({
  service,
}) => {
  const { database } = service;
  const { userId } = await inviteAs(service, 'agent', `${crypto.randomUUID()}@example.com`);
  await database.rows('delete from sign_in_links where user_id = $1', [userId]);
  await database.rows(
    `insert into user_sessions (id, token_hash, user_id, created_at, verified_at, last_seen_at)
     select gen_random_uuid(), name || $1::uuid::text, $1::uuid, now() - created, now(), now() - seen from (values
       ('idle', interval '1 day', interval '13 hours'), ('old', interval '31 days', interval '0'),
       ('works', interval '29 days', interval '11 hours')) as one (name, created, seen)`,
    [userId],
  );
  await database.rows(
    `insert into sign_in_links (token_hash, user_id, purpose, created_at, expires_at)
     select name || $1::uuid::text, $1::uuid, 'mail', now() - interval '2 hours', now() - ago from (values
       ('expired', interval '61 minutes'), ('counted', interval '59 minutes')) as one (name, ago)`,
    [userId],
  );
  await keepHouse(service);
  const left = await database.rows<{ name: string }>(
    `select replace(token_hash, $1::uuid::text, '') as name from user_sessions where user_id = $1::uuid
     union all select replace(token_hash, $1::uuid::text, '') from sign_in_links where user_id = $1::uuid
     order by 1`,
    [userId],
  );
  expect(left.map(({ name }) => name)).toEqual(['counted', 'works']);
});
