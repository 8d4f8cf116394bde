import { createClient, createPublicClient, FrontdeskError } from '../../sdk/src/main.ts';
import { describe, expect, test } from '../support/service.ts';
import { clientOf } from './sdk.support.ts';

const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

const refusalOf = (call: Promise<unknown>): Promise<FrontdeskError> =>
  call.then(
    () => expect.fail('was not refused'),
    (error: FrontdeskError) => error,
  );

describe('with a key', () => {
  test('a record is created, read, found, changed and deleted, and its events fire once', async ({
    service,
  }) => {
    const { contacts } = clientOf(service);
    const created = await contacts.create({ ...ADA, tags: ['lead'], phone: undefined });
    expect(created).toMatchObject({ ...ADA, tags: ['lead'], phone: null });
    expect(await contacts.get(created.id)).toEqual(created);
    expect(await contacts.list({ email: 'ADA@example.com', hasPhone: undefined })).toEqual({
      data: [created],
      meta: { total: 1, hasMore: false, cursor: null },
    });
    const bot = { operation: 'set_field', field: 'company', value: 'Analytical' } as const;
    expect((await contacts.botUpdate(created.id, bot)).company).toBe('Analytical');
    const changed = await contacts.update(created.id, { company: null, tags: ['lead', 'vip'] });
    expect([changed.company, changed.tags]).toEqual([null, ['lead', 'vip']]);
    expect(await contacts.delete(created.id)).toEqual({ id: created.id, deleted: true });
    expect(await service.eventNames()).toEqual([
      'contact.created',
      'contact.updated',
      'contact.updated',
      'contact.tag_added',
    ]);
  });

  test('several values of a filter can be a list or text', async ({ service }) => {
    const { contacts } = clientOf(service);
    const both = await contacts.create({ ...ADA, tags: ['a', 'b&c'] });
    await contacts.create({ ...ADA, email: null, tags: ['a'] });
    for (const tags of [['a', 'b&c'], 'a,b&c']) {
      expect((await contacts.list({ tags })).data).toEqual([both]);
    }
  });

  test('an error has its code, status, details, issues and request id', async ({ service }) => {
    const { contacts } = clientOf(service);
    const { id } = await contacts.create(ADA);
    const duplicate = await refusalOf(contacts.create(ADA));
    expect(duplicate).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      details: { reason: 'duplicate_email', contactId: id },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      tries: 1,
    });
    const wrong = await refusalOf(contacts.create({ ...ADA, phone: '030', timezone: 'Mars' }));
    expect(wrong.issues.map(({ path }) => path)).toEqual(['/phone', '/timezone']);
    const unknown = await refusalOf(contacts.get('no-id'));
    expect([unknown.code, unknown.status, unknown.issues]).toEqual(['NOT_FOUND', 404, []]);
    const reader = await refusalOf(clientOf(service, 'reader').contacts.create(ADA));
    expect([reader.code, reader.message]).toEqual([
      'FORBIDDEN',
      'this key lacks the scope contacts:write; an operator can set its scopes with frontdesk admin key scopes',
    ]);
  });

  test('a call that is repeated with its key counts once', async ({ service }) => {
    const { contacts } = clientOf(service);
    const once = { idempotencyKey: 'order-17' };
    const first = await contacts.create({ firstName: 'Ada', lastName: 'L' }, once);
    expect(await contacts.create({ firstName: 'Ada', lastName: 'L' }, once)).toEqual(first);
    const another = await refusalOf(contacts.create({ firstName: 'Eve', lastName: 'L' }, once));
    expect(another.code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('an id that would change the path is not sent', async ({ service }) => {
    const { contacts } = clientOf(service);
    for (const id of ['', '.', '..', undefined, 7]) {
      expect(() => contacts.delete(id as string)).toThrow(TypeError);
    }
    expect((await refusalOf(contacts.get('../pipelines?x=1#y'))).code).toBe('NOT_FOUND');
  });
});

describe('with the key of an agency', () => {
  test('a client is bound to one sub-account; another client serves the next', async ({
    service,
  }) => {
    const { url, keys, subAccountId, otherSubAccountId } = service;
    const agency = createClient({ baseUrl: `${url}/`, apiKey: keys.agency });
    expect((await agency.subAccounts.list()).map(({ id }) => id)).toEqual(
      expect.arrayContaining([subAccountId, otherSubAccountId]),
    );
    expect((await refusalOf(agency.contacts.list())).message).toMatch(/X-Sub-Account-Id/);
    const own = createClient({ baseUrl: url, apiKey: keys.agency, subAccountId });
    const { id } = await own.contacts.create(ADA);
    expect((await agency.forSubAccount(subAccountId).contacts.get(id)).id).toBe(id);
    expect((await refusalOf(own.forSubAccount(otherSubAccountId).contacts.get(id))).status).toBe(
      404,
    );
    expect(await service.eventNames()).toEqual(['contact.created']);
  });
});

describe('without a key', () => {
  test('visitors call public endpoints', async ({ service }) => {
    const visitor = createPublicClient({ baseUrl: service.url });
    const { subAccountId } = service;
    expect(await visitor.publicBooking.config({ subAccountId })).toMatchObject({ types: [] });
    expect(await visitor.chat.config({ subAccountId })).toMatchObject({ enabled: false });
    expect(visitor).not.toHaveProperty('contacts');
  });
});

test.for([
  [{ baseUrl: 'localhost:8080', apiKey: 'k' }, /baseUrl/],
  [{ baseUrl: 'https://crm.example.com?x=1', apiKey: 'k' }, /baseUrl/],
  [{ baseUrl: 'https://crm.example.com', apiKey: '' }, /apiKey/],
  [{ baseUrl: 'https://crm.example.com', apiKey: 'sk_live_a\nb' }, /apiKey/],
  [{ baseUrl: 'https://crm.example.com', apiKey: 'k', subAccountId: 'ü' }, /subAccountId/],
] as const)('a client that could make no request is refused: %j', ([options, said]) => {
  expect(() => createClient(options)).toThrow(said);
});
