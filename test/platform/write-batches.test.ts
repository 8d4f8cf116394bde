import { onTestFinished } from 'vitest';
import { describe, expect, test, type TestService } from '../support/service.ts';

const MANY = 100;

const post = (service: TestService, n: number, email = `ada.${n}@example.com`) =>
  service.call('POST /api/v1/contacts', {
    body: { firstName: `Ada ${n}`, lastName: 'Lovelace', email, tags: [`t${n}`] },
  });

describe('changes that come at once', () => {
  test('are each answered with their own record, and fire one event each', async ({ service }) => {
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

  test('fail alone: one that is refused costs no other, twenty times', async ({ service }) => {
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

  test('do not wait behind those that wait for a lock', async ({ service }) => {
    const { id } = (await post(service, 0)).body.data;
    const client = await service.database.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query('begin');
    await client.query('insert into contact_emails values ($1, $2, $3)', [
      service.subAccountId,
      'held@example.com',
      id,
    ]);
    const waiting = Array.from({ length: 5 }, () => post(service, 1, 'held@example.com'));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => post(service, n + 2)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await client.query('rollback');
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(4);
  });
});
