import { describe, expect, test, type TestService } from '../support/service.ts';

const UPSERT = 'POST /api/v1/contacts/upsert';
const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const SIMULTANEOUS = 20;
const TIMES = 20;

const upsert = (service: TestService, body: object) => service.call(UPSERT, { body });

async function created(service: TestService, body: object): Promise<any> {
  const reply = await service.call('POST /api/v1/contacts', { body });
  expect(reply.status).toBe(201);
  await service.events();
  return reply.body.data;
}

const countOf = async ({ call }: TestService) =>
  (await call('GET /api/v1/contacts')).body.meta.total;

describe('a contact that does not exist', () => {
  test('is created with 201 and emits contact.created only', async ({ service }) => {
    const { status, body } = await upsert(service, { ...ada, tags: ['vip'] });

    expect([status, body.meta]).toEqual([201, { created: true }]);
    expect(body.data).toMatchObject({ ...ada, tags: ['vip'] });
    expect((await service.call(`GET /api/v1/contacts/${body.data.id}`)).body.data).toEqual(
      body.data,
    );
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('is created by phone, or without any address', async ({ service }) => {
    const { email: _email, ...names } = ada;

    const statuses = [
      await upsert(service, { ...names, phone: '+4930123456' }),
      await upsert(service, names),
      await upsert(service, { ...names, email: null, phone: null }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([201, 201, 201]);
  });

  test.for([
    ['a first name', { lastName: 'L', email: 'new@example.com' }, '/firstName'],
    ['a last name', { firstName: 'A', phone: '+4930123456' }, '/lastName'],
  ] as const)('requires %s', async ([, body, path], { service }) => {
    const { status, body: refusal } = await upsert(service, body);

    expect([status, refusal.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refusal.error.details.issues).toMatchObject([{ in: 'body', path }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused if an additional email belongs to another contact', async ({ service }) => {
    const other = await created(service, ada);

    const { status, body } = await upsert(service, {
      ...ada,
      email: 'new@example.com',
      additionalEmails: [ada.email],
    });

    expect([status, body.error.details]).toMatchObject([
      400,
      {
        reason: 'duplicate_email',
        contactId: other.id,
        issues: [{ path: '/additionalEmails/0', message: 'belongs to another contact' }],
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });
});

describe('a contact that exists', () => {
  test('keeps the spelling of its email, and nothing is emitted for another one', async ({
    service,
  }) => {
    const before = await created(service, ada);

    const { status, body } = await upsert(service, { email: 'ADA@Example.com' });

    expect([status, body.data]).toEqual([200, before]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('an email of another contact is blamed at its place in the body', async ({ service }) => {
    const other = await created(service, { ...ada, email: 'other@example.com' });
    await created(service, { ...ada, additionalEmails: ['ada2@example.com'] });

    const { status, body } = await upsert(service, {
      email: ada.email,
      additionalEmails: ['free@example.com', 'Other@example.com'],
    });

    expect([status, body.error.details]).toMatchObject([
      400,
      { contactId: other.id, issues: [{ in: 'body', path: '/additionalEmails/1' }] },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is found by its email in any case; the given fields are changed', async ({ service }) => {
    const before = await created(service, { ...ada, company: 'Old', city: 'London' });

    const { status, body } = await upsert(service, { email: 'ADA@example.com', company: 'New' });

    expect([status, body.meta]).toEqual([200, { created: false }]);
    expect(body.data).toMatchObject({ id: before.id, company: 'New', city: 'London' });
    expect(body.data).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
    expect(await service.eventNames()).toEqual(['contact.updated']);
  });

  test('emits nothing if nothing changes', async ({ service }) => {
    const before = await created(service, ada);

    const { status, body } = await upsert(service, ada);

    expect([status, body.data]).toEqual([200, before]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('keeps its lists: tags and additional addresses are added', async ({ service }) => {
    const lists = { additionalEmails: ['a@example.com'], additionalPhones: ['+4930111111'] };
    await created(service, { ...ada, tags: ['vip'], ...lists });

    const { body } = await upsert(service, {
      email: ada.email,
      tags: ['VIP', 'new'],
      additionalEmails: ['b@example.com'],
      additionalPhones: ['+4930222222'],
    });

    expect(body.data).toMatchObject({
      tags: ['vip', 'new'],
      additionalEmails: ['a@example.com', 'b@example.com'],
      additionalPhones: ['+4930111111', '+4930222222'],
    });
    expect(await service.eventNames()).toEqual(['contact.updated', 'contact.tag_added']);
  });

  test('keeps its primary email when found by an additional one', async ({ service }) => {
    const before = await created(service, { ...ada, additionalEmails: ['work@example.com'] });

    const { status, body } = await upsert(service, { email: 'Work@example.com', title: 'Dr' });

    expect([status, body.data]).toMatchObject([
      200,
      { id: before.id, email: ada.email, additionalEmails: ['work@example.com'], title: 'Dr' },
    ]);
  });

  test('is found by phone if no email is given, additional phones included', async ({
    service,
  }) => {
    const phones = { phone: '+4930111111', additionalPhones: ['+4930222222'] };
    const before = await created(service, { ...ada, ...phones });

    for (const phone of ['+4930111111', '+4930222222']) {
      const { status, body } = await upsert(service, { phone, company: phone });
      expect([status, body.data]).toMatchObject([200, { ...phones, id: before.id }]);
    }
  });

  test('is not found by phone if an email is given', async ({ service }) => {
    await created(service, { ...ada, phone: '+4930111111' });

    const other = { ...ada, email: 'grace@example.com', phone: '+4930111111' };

    expect((await upsert(service, other)).status).toBe(201);
  });

  test('is refused if several contacts have the phone', async ({ service }) => {
    const phone = '+4930111111';
    const first = await created(service, { ...ada, phone });
    const second = await created(service, {
      firstName: 'B',
      lastName: 'C',
      additionalPhones: [phone],
    });

    const { status, body } = await upsert(service, { phone, company: 'New' });

    expect([status, body.error.details]).toEqual([
      400,
      {
        issues: [expect.objectContaining({ path: '' })],
        reason: 'ambiguous_phone',
        contactIds: [first.id, second.id],
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused if an additional email belongs to another contact', async ({ service }) => {
    await created(service, ada);
    const other = await created(service, { ...ada, email: 'grace@example.com' });

    const { status, body } = await upsert(service, {
      email: ada.email,
      additionalEmails: ['grace@example.com'],
    });

    expect([status, body.error.details]).toMatchObject([
      400,
      { reason: 'duplicate_email', contactId: other.id },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is created again once it is deleted', async ({ service }) => {
    const { id } = await created(service, ada);
    await service.call(`DELETE /api/v1/contacts/${id}`);

    expect((await upsert(service, ada)).status).toBe(201);
  });
});

describe('simultaneous calls', () => {
  test.for([
    ['email', (n: number) => ({ ...ada, email: `ada${n}@example.com` })],
    ['phone', (n: number) => ({ firstName: 'A', lastName: 'L', phone: `+49301234${100 + n}` })],
  ] as const)('with one %s create one contact', async ([, bodyOf], { service }) => {
    for (let n = 1; n <= TIMES; n += 1) {
      const replies = await Promise.all(
        Array.from({ length: SIMULTANEOUS }, () => upsert(service, bodyOf(n))),
      );
      const statuses = replies.map(({ status }) => status).sort((one, other) => one - other);
      expect(statuses).toEqual([...Array<number>(SIMULTANEOUS - 1).fill(200), 201]);
      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
      expect(await countOf(service)).toBe(n);
      expect(await service.eventNames()).toEqual(['contact.created']);
    }
  });
});
