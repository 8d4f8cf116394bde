import { queueDelivery } from '../../../../src/webhooks/deliveries/webhooks.jobs.ts';
import { createContact } from '../../../../src/contacts/create-contact.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { isConflict, retryConflicts } from '#platform/database/database-errors.ts';
import { injectConflicts } from '../../../support/conflicts.ts';
import { expect, test } from '../../../support/service.ts';

const JOBS = 'graphile_worker._private_jobs';
const PERSON = { firstName: 'Ada', lastName: 'Lovelace' };

test('a request whose change loses deadlocks succeeds, and fires its event once', async ({
  service,
}) => {
  const injected = await injectConflicts(service.database.pool, {
    table: 'contacts',
    on: 'insert',
    times: 4,
  });
  await service.events();
  const { status } = await service.call('POST /api/v1/contacts', { key: 'full', body: PERSON });
  expect([status, await injected.left()]).toEqual([201, 0]);
  expect(await service.eventNames()).toEqual(['contact.created']);
});

test('a change that queues a job which loses deadlocks queues it once', async ({ service }) => {
  const { transact, subAccountId, actor, database } = service;
  const injected = await injectConflicts(database.pool, { table: JOBS, on: 'insert', times: 4 });
  const id = crypto.randomUUID();
  await transact(subAccountId, actor, async (work) => {
    await work.rows('select 1', []);
    queueDelivery(work, id);
  });
  expect(await injected.left()).toBe(0);
  const jobs = await database.rows(`select key from ${JOBS} where key like $1`, [`%${id}`]);
  expect(jobs).toHaveLength(1);
});

test('a publisher that loses deadlocks publishes each event once', async ({ service }) => {
  const { transact, subAccountId, actor, database } = service;
  await publishAll(database);
  const injected = await injectConflicts(database.pool, {
    table: 'events',
    on: 'insert',
    times: 4,
  });
  await transact(subAccountId, actor, (work) => createContact(work, PERSON));
  expect(await publishAll(database)).toBe(1);
  expect([await injected.left(), await publishAll(database)]).toEqual([0, 0]);
});

test('conflicts are retried a bounded number of times, other errors never', async () => {
  const failing = (code: string) => {
    let tries = 0;
    const run = retryConflicts(() => {
      tries += 1;
      return Promise.reject(Object.assign(new Error(code), { code }));
    });
    return run.catch((error: Error) => [error.message, isConflict(error), tries]);
  };
  expect(await Promise.all([failing('40P01'), failing('40001'), failing('23505')])).toEqual([
    ['40P01', true, 8],
    ['40001', true, 8],
    ['23505', false, 1],
  ]);
});
