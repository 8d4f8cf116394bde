import { describe, expect, test, type TestService } from '../support/service.ts';

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4930123456',
  tags: ['vip'],
  additionalEmails: ['countess@example.com'],
};

async function created(service: TestService, body: object = ada): Promise<any> {
  const reply = await service.call('POST /api/v1/contacts', { body });
  expect(reply.status).toBe(201);
  await service.events();
  return reply.body.data;
}

describe('PATCH /api/v1/contacts/{id}', () => {
  test('changes only the given fields and emits contact.updated', async ({ service }) => {
    const before = await created(service);
    const { status, body } = await service.call(`PATCH /api/v1/contacts/${before.id}`, {
      body: { company: 'Analytical', city: 'London' },
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      company: 'Analytical',
      city: 'London',
      updatedAt: expect.any(String),
    });
    expect(await service.events()).toEqual([
      {
        name: 'contact.updated',
        contactId: before.id,
        data: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+4930123456',
          company: 'Analytical',
          lifecycleStage: 'lead',
          tags: ['vip'],
        },
      },
    ]);
  });

  test.for([
    ['nothing', {}],
    ['the current values', { firstName: 'Ada', tags: ['VIP'], dnd: {}, customFields: {} }],
    [
      'the same email for the third time',
      { additionalEmails: ['countess@example.com', 'ADA@example.com'] },
    ],
  ])('with %s, returns 200 and emits nothing', async ([, body], { service }) => {
    const before = await created(service);
    const reply = await service.call(`PATCH /api/v1/contacts/${before.id}`, { body });

    expect([reply.status, reply.body.data]).toEqual([200, before]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('fires one event per new tag and one for a new stage', async ({ service }) => {
    const { id } = await created(service);
    const { body } = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { tags: ['client', 'VIP', 'Client'], lifecycleStage: 'customer' },
    });

    expect(body.data.tags).toEqual(['client', 'vip']);
    expect(await service.events()).toMatchObject([
      { name: 'contact.updated', data: { lifecycleStage: 'customer' } },
      { name: 'contact.tag_added', contactId: id, data: { tagName: 'client' } },
      {
        name: 'contact.lifecycle_changed',
        contactId: id,
        data: { newStage: 'customer', previousStage: 'lead' },
      },
    ]);
  });

  test('clears with null and merges dnd by channel', async ({ service }) => {
    const { id } = await created(service, { ...ada, dnd: { sms: true, email: true } });
    const { body } = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { phone: null, dnd: { sms: null, email: false, all: true } },
    });

    expect(body.data).toMatchObject({ phone: null, dnd: { email: false, all: true } });
    expect(body.data.dnd).not.toHaveProperty('sms');
  });

  test('moves an email between primary and additional without a conflict with itself', async ({
    service,
  }) => {
    const { id } = await created(service);
    const { body } = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { email: 'Countess@example.com', additionalEmails: ['ada@example.com'] },
    });

    expect(body.data).toMatchObject({
      email: 'Countess@example.com',
      additionalEmails: ['ada@example.com'],
    });
    const found = await service.call('GET /api/v1/contacts?email=ADA@example.com');
    expect(found.body.data.map((contact: any) => contact.id)).toEqual([id]);
  });

  test('a released email is free for another contact, a claimed one is refused', async ({
    service,
  }) => {
    const { id } = await created(service);
    const other = await created(service, {
      firstName: 'Bob',
      lastName: 'B',
      email: 'bob@example.com',
    });
    const refused = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { email: 'BOB@example.com' },
    });
    expect([refused.status, refused.body.error.details]).toMatchObject([
      400,
      { reason: 'duplicate_email', contactId: other.id, issues: [{ path: '/email' }] },
    ]);
    const additional = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { additionalEmails: ['free@example.com', 'Bob@example.com'] },
    });
    expect([additional.status, additional.body.error.details]).toMatchObject([
      400,
      { contactId: other.id, issues: [{ path: '/additionalEmails/1' }] },
    ]);
    await service.call(`PATCH /api/v1/contacts/${other.id}`, { body: { email: null } });
    const taken = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { email: 'BOB@example.com' },
    });
    expect(taken.body.data.email).toBe('BOB@example.com');
  });

  test('twenty parallel patches of different fields are all applied', async ({ service }) => {
    const { id } = await created(service);
    const fields = ['company', 'title', 'city', 'state', 'country', 'postalCode', 'addressLine1'];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        fields.map((field) =>
          service.call(`PATCH /api/v1/contacts/${id}`, { body: { [field]: `${field} ${round}` } }),
        ),
      );
      const { body } = await service.call(`GET /api/v1/contacts/${id}`);
      expect(body.data).toMatchObject(
        Object.fromEntries(fields.map((field) => [field, `${field} ${round}`])),
      );
    }
  });

  test('an unknown assignee is refused, a known one of another sub-account too', async ({
    service,
  }) => {
    const { id } = await created(service);
    const foreign = crypto.randomUUID();
    await service.database.rows(
      `insert into team_members (sub_account_id, id, key, name, created_at, updated_at)
       values ($1, $2, 'eve', 'Eve', now(), now())`,
      [service.otherSubAccountId, foreign],
    );
    for (const assignedTo of [foreign, crypto.randomUUID()]) {
      const reply = await service.call(`PATCH /api/v1/contacts/${id}`, { body: { assignedTo } });
      expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, '/assignedTo']);
    }
    expect(await service.eventNames()).toEqual([]);
  });
});
