import { describe, expect, test, type TestService } from '../../support/service.ts';
import { defineFields } from '../../support/custom-fields.ts';

const created = async (service: TestService, body: object): Promise<string> =>
  (await service.call('POST /api/v1/contacts', { body })).body.data.id;

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4930123456',
  tags: ['VIP'],
};
const countess = {
  firstName: 'Countess',
  lastName: 'L',
  email: 'countess@example.com',
  phone: '+4930654321',
  company: 'Analytical',
  tags: ['vip', 'maths'],
  additionalEmails: ['third@example.com'],
  dnd: { sms: true },
};

describe('POST /api/v1/contacts/{id}/merge', () => {
  test('the kept contact wins, gets missing values and every address', async ({ service }) => {
    await defineFields(service, [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ]);
    const kept = await created(service, { ...ada, customFields: { a: 'kept' } });
    const other = await created(service, { ...countess, customFields: { a: 'lost', b: 'taken' } });
    await service.events();
    const { status, body } = await service.call(`POST /api/v1/contacts/${kept}/merge`, {
      body: { contactId: other },
    });

    expect([status, body.data]).toMatchObject([
      200,
      {
        id: kept,
        ...ada,
        company: 'Analytical',
        tags: ['VIP', 'maths'],
        additionalEmails: ['countess@example.com', 'third@example.com'],
        additionalPhones: ['+4930654321'],
        customFields: { a: 'kept', b: 'taken' },
        dnd: { sms: true },
      },
    ]);
    expect(await service.events()).toMatchObject([
      { name: 'contact.updated', contactId: kept },
      { name: 'contact.tag_added', contactId: kept, data: { tagName: 'maths' } },
    ]);
    expect((await service.call(`GET /api/v1/contacts/${other}`)).status).toBe(404);
    const found = await service.call('GET /api/v1/contacts?email=third@example.com');
    expect(found.body.data.map(({ id }: any) => id)).toEqual([kept]);
    expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(1);
  });

  test('the kept contact gets values whose fields have changed or are gone', async ({
    service,
  }) => {
    await defineFields(service, [
      { name: 'colour', type: 'select', options: ['green'] },
      { name: 'gone', type: 'text' },
    ]);
    const kept = await created(service, ada);
    const values = { colour: 'green', gone: 'kept' };
    const other = await created(service, { ...countess, customFields: values });
    await service.database.rows(
      `with removed as (delete from custom_field_definitions where sub_account_id = $1 and name = 'gone')
       update custom_field_definitions set options = '{red}'
       where sub_account_id = $1 and name = 'colour'`,
      [service.subAccountId],
    );
    await service.noticed();
    const { status, body } = await service.call(`POST /api/v1/contacts/${kept}/merge`, {
      body: { contactId: other },
    });
    expect([status, body.data.customFields]).toEqual([200, values]);
  });

  test.for([
    ['itself', (kept: string) => kept],
    ['an unknown id', () => crypto.randomUUID()],
    ['no id', () => 'x'],
  ] as const)('refuses %s in the body with 400', async ([, otherOf], { service }) => {
    const kept = await created(service, ada);
    await service.events();
    const reply = await service.call(`POST /api/v1/contacts/${kept}/merge`, {
      body: { contactId: otherOf(kept) },
    });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, '/contactId']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('returns the same error for a foreign and an unknown contact', async ({ service }) => {
    const kept = await created(service, ada);
    const foreign = (await service.call('POST /api/v1/contacts', { body: ada, key: 'other' })).body
      .data.id;
    const ask = async (contactId: string) => {
      const { status, body } = await service.call(`POST /api/v1/contacts/${kept}/merge`, {
        body: { contactId },
      });
      return [status, body];
    };
    expect(await ask(foreign)).toEqual(await ask(crypto.randomUUID()));
    const inPath = await service.call(`POST /api/v1/contacts/${foreign}/merge`, {
      body: { contactId: kept },
    });
    expect(inPath.status).toBe(404);
  });

  test('two opposite merges of a pair leave exactly one contact, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const a = await created(service, { ...ada, email: `a${round}@example.com` });
      const b = await created(service, { ...ada, email: `b${round}@example.com` });
      const replies = await Promise.all([
        service.call(`POST /api/v1/contacts/${a}/merge`, { body: { contactId: b } }),
        service.call(`POST /api/v1/contacts/${b}/merge`, { body: { contactId: a } }),
      ]);
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
      const { body } = await service.call(`GET /api/v1/contacts?email=b${round}@example.com`);
      expect(body.data.map(({ id }: any) => id)).toEqual([won[0]?.body.data.id]);
    }
  });
});

test('the audit trail names the fields that a merge changed, and no others', async ({
  service,
}) => {
  const { database, subAccountId } = service;
  const kept = await created(service, { firstName: 'Ada', lastName: 'Byron' });
  const other = await created(service, { firstName: 'Ada', lastName: 'B', phone: '+4930123456' });
  await service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId: other } });
  const entries = await database.rows(
    `select record_id as "recordId", changes from audit_entries
     where sub_account_id = $1 and operation = 'contacts.merge'`,
    [subAccountId],
  );
  const changes = { phone: { from: null, to: '+4930123456' } };
  expect(entries).toEqual([{ recordId: kept, changes }]);
});

describe('the target of a merge', () => {
  const mergedInto = async ({ database }: TestService, id: string) => {
    const [row] = await database.rows<{ into: string | null }>(
      'select merged_into as "into" from contacts where id = $1',
      [id],
    );
    return row?.into;
  };
  const merged = async ({ call }: TestService, kept: string, contactId: string) =>
    expect(
      (await call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } })).status,
    ).toBe(200);

  test('is the end of a chain of merges, in any order', async ({ service }) => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      ids.push(await created(service, { firstName: 'Ada', lastName: `${n}` }));
    }
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = ids;
    await merged(service, b, c);
    await merged(service, a, b);
    await merged(service, e, f);
    await merged(service, d, e);
    await merged(service, a, d);
    expect(await Promise.all(ids.map((id) => mergedInto(service, id)))).toEqual([
      null,
      ...[b, c, d, e, f].map(() => a),
    ]);
  });

  test('is the end of the chain even if the merges are concurrent, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const make = () => created(service, { firstName: 'Ada', lastName: 'Lovelace' });
      const [a, b, c] = [await make(), await make(), await make()];
      await Promise.all([
        service.call(`POST /api/v1/contacts/${a}/merge`, { body: { contactId: b } }),
        service.call(`POST /api/v1/contacts/${b}/merge`, { body: { contactId: c } }),
      ]);
      // The second merge is refused if the first one came before it.
      const isFirst = (await mergedInto(service, c)) === null;
      expect(await mergedInto(service, b)).toBe(a);
      expect(await mergedInto(service, c)).toBe(isFirst ? null : a);
    }
  });
});
