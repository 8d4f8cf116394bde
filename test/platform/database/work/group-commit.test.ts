import { onTestFinished } from 'vitest';
import { describe, expect, OPERATOR, test, type TestService } from '../../../support/service.ts';
import { WAITING_FOR_ME } from '../../../support/locks.ts';

const MANY = 100;
/** Half of the 10 of the server: a sub-account leaves as many as it uses. */
const SHARE_OF_CONNECTIONS = 5;

const post = (service: TestService, n: number, email = `ada.${n}@example.com`) =>
  service.call('POST /api/v1/contacts', {
    body: { firstName: `Ada ${n}`, lastName: 'Lovelace', email, tags: [`t${n}`] },
  });

describe('changes that come at once', () => {
  test('each return their own record and emit one event', async ({ service }) => {
    const numbers = Array.from({ length: MANY }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => post(service, n)));
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    expect(answers.map(({ body }) => [body.data.firstName, body.data.tags])).toEqual(
      numbers.map((n) => [`Ada ${n}`, [`t${n}`]]),
    );
    const stored = await Promise.all(
      answers.map(({ body }) => service.call(`GET /api/v1/contacts/${body.data.id}`)),
    );
    expect(stored.map(({ body }) => body.data)).toEqual(answers.map(({ body }) => body.data));
    const fired = await service.events();
    expect(new Set(fired.map(({ contactId }) => contactId))).toEqual(
      new Set(answers.map(({ body }) => body.data.id)),
    );
    expect(fired).toHaveLength(MANY);
  });

  test('are committed by fewer transactions than there are changes', async ({ service }) => {
    await Promise.all(Array.from({ length: MANY }, (_, n) => post(service, n)));
    const transactions = await service.database.rows(
      'select distinct xmin::text from contacts where sub_account_id = $1',
      [service.subAccountId],
    );
    expect(transactions.length).toBeLessThan(MANY / 2);
  });

  test('fail alone: a rejected change affects no other', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const email = (n: number) => `${round}.${n % 8 === 3 ? 'same' : n}@example.com`;
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => post(service, n, email(n))),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body.error.details.reason])).toEqual([
        [400, 'duplicate_email'],
        [400, 'duplicate_email'],
      ]);
      expect(await service.eventNames()).toHaveLength(22);
    }
  });

  test('do not wait behind changes that wait for a lock', async ({ service }) => {
    const { id } = (await post(service, 0)).body.data;
    const client = await service.database.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query('begin');
    await client.query('insert into contact_emails values ($1, $2, $3)', [
      service.subAccountId,
      'held@example.com',
      id,
    ]);
    const waiting = Array.from({ length: SHARE_OF_CONNECTIONS - 1 }, () =>
      post(service, 1, 'held@example.com'),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => post(service, n + 2)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await client.query('rollback');
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(SHARE_OF_CONNECTIONS - 2);
  });

  test('leave connections to other sub-accounts while they wait for a lock', async ({
    service,
  }) => {
    const { id } = (await post(service, 0)).body.data;
    const client = await service.database.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query('begin');
    await client.query('insert into contact_emails values ($1, $2, $3)', [
      service.subAccountId,
      'held@example.com',
      id,
    ]);
    const waiting = Array.from({ length: 60 }, () => post(service, 1, 'held@example.com'));
    await expect
      .poll(async () => (await client.query(WAITING_FOR_ME)).rowCount)
      .toBe(SHARE_OF_CONNECTIONS);
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        service.call('POST /api/v1/contacts', {
          key: 'other',
          body: { firstName: `Ada ${n}`, lastName: 'Lovelace' },
        }),
      ),
    );
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 201));
    await client.query('rollback');
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(59);
  });

  test('all take effect if they change one row without reading it', async ({ service }) => {
    const { id } = (await post(service, 0)).body.data;
    const { transact, database, subAccountId } = service;
    const append =
      'update contacts set tags = tags || $3::text[] where sub_account_id = $1 and id = $2';
    for (let round = 0; round < 20; round += 1) {
      await database.rows("update contacts set tags = '{}' where id = $1", [id]);
      const tags = Array.from({ length: 24 }, (_, n) => `tag ${n}`);
      await Promise.all(
        tags.map((tag) =>
          transact(subAccountId, OPERATOR, async (work) =>
            work.write(append, [subAccountId, id, [tag]]),
          ),
        ),
      );
      expect(await tagsOf(service, id)).toEqual(new Set(tags));
    }
  });
});

describe('writes of one change', () => {
  const set = (column: string) =>
    `update contacts set ${column} = $3 where sub_account_id = $1 and id = $2`;

  test.for([false, true])(
    'that change one row take effect one after another, in a transaction begun before: %s',
    async (begins, { service }) => {
      const { id } = (await post(service, 0)).body.data;
      const { subAccountId } = service;
      await service.transact(subAccountId, OPERATOR, async (work) => {
        if (begins) {
          await work.rows('select 1', []);
        }
        work.write(set('company'), [subAccountId, id, 'first']);
        work.write(set('title'), [subAccountId, id, 'second']);
        work.write(set('company'), [subAccountId, id, 'third']);
      });
      const { body } = await service.call(`GET /api/v1/contacts/${id}`);
      expect(body.data).toMatchObject({ company: 'third', title: 'second' });
    },
  );

  test('that change one row are rolled back together if one is rejected', async ({ service }) => {
    const { id } = (await post(service, 0)).body.data;
    const { subAccountId } = service;
    const change = service.transact(subAccountId, OPERATOR, async (work) => {
      work.write(set('company'), [subAccountId, id, 'first']);
      work.write(set('first_name'), [subAccountId, id, null]);
    });
    await expect(change).rejects.toThrow('first_name');
    const { body } = await service.call(`GET /api/v1/contacts/${id}`);
    expect(body.data.company).toBeNull();
  });
});

const tagsOf = async ({ call }: TestService, id: string) =>
  new Set((await call(`GET /api/v1/contacts/${id}`)).body.data.tags);
