import { expect, test, type TestService } from '../support/service.ts';

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

const created = async (service: TestService, body: object = ada): Promise<string> =>
  (await service.call('POST /api/v1/contacts', { body })).body.data.id;

test('a deleted contact disappears everywhere and emits no contact event', async ({ service }) => {
  const id = await created(service);
  await service.events();

  const deleted = await service.call(`DELETE /api/v1/contacts/${id}`);
  expect([deleted.status, deleted.body]).toEqual([200, { data: { id, deleted: true } }]);

  for (const line of [`GET /api/v1/contacts/${id}`, `DELETE /api/v1/contacts/${id}`]) {
    expect((await service.call(line)).status).toBe(404);
  }
  const patch = await service.call(`PATCH /api/v1/contacts/${id}`, { body: { city: 'x' } });
  expect(patch.status).toBe(404);
  const list = await service.call('GET /api/v1/contacts?search=love');
  expect([list.body.data, list.body.meta.total]).toEqual([[], 0]);
  expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(0);
  expect(await service.eventNames()).toEqual([]);
});

test('a deleted contact frees its emails', async ({ service }) => {
  const first = await created(service);
  await service.call(`DELETE /api/v1/contacts/${first}`);
  const second = await created(service);

  expect(second).not.toBe(first);
  const found = await service.call('GET /api/v1/contacts?email=ada@example.com');
  expect(found.body.data.map(({ id }: any) => id)).toEqual([second]);
});

test('one of several parallel deletions succeeds, twenty times', async ({ service }) => {
  for (let round = 0; round < 20; round += 1) {
    const id = await created(service, { ...ada, email: `round${round}@example.com` });
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => service.call(`DELETE /api/v1/contacts/${id}`)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 404, 404, 404, 404,
    ]);
  }
});

test('an opt-out of an address outlives the contact and applies to the next one', async ({
  service,
}) => {
  const id = await created(service);
  await service.database.rows(
    `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
     values ($1, gen_random_uuid(), 'email', 'ada@example.com', 'unsubscribe', now())`,
    [service.subAccountId],
  );
  await service.call(`DELETE /api/v1/contacts/${id}`);
  const again = await created(service, { ...ada, email: 'ADA@example.com' });

  const { body } = await service.call(`GET /api/v1/contacts/${again}`);
  expect(body.data.dnd).toEqual({ email: true });
  const cleared = await service.call(`PATCH /api/v1/contacts/${again}`, {
    body: { dnd: { email: false } },
  });
  expect(cleared.body.data.dnd).toEqual({ email: true });
});
