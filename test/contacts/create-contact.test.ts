import { describe, expect, test } from '../support/service.ts';

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

describe('POST /api/v1/contacts', () => {
  test('returns 201 with the whole contact and emits contact.created only', async ({ service }) => {
    const { status, body } = await service.call('POST /api/v1/contacts', {
      body: { ...ada, tags: ['vip'], phone: '+4930123456', company: 'Analytical', source: 'web' },
    });

    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      ...ada,
      phone: '+4930123456',
      company: 'Analytical',
      title: null,
      source: 'web',
      tags: ['vip'],
      lifecycleStage: 'lead',
      engagementScore: null,
      assignedTo: null,
      additionalEmails: [],
      additionalPhones: [],
      addressLine1: null,
      city: null,
      state: null,
      postalCode: null,
      country: null,
      dateOfBirth: null,
      timezone: null,
      customFields: {},
      dnd: {},
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.data.createdAt,
    });
    expect(await service.events()).toEqual([
      {
        name: 'contact.created',
        contactId: body.data.id,
        data: {
          ...ada,
          phone: '+4930123456',
          company: 'Analytical',
          source: 'web',
          tags: ['vip'],
          lifecycleStage: 'lead',
        },
      },
    ]);
  });

  test.for([
    ['no body at all', undefined, ''],
    ['a body that is not an object', [], ''],
    ['no last name', { firstName: 'Ada' }, '/lastName'],
    ['a blank first name', { ...ada, firstName: ' ' }, '/firstName'],
    ['null for a name', { ...ada, lastName: null }, '/lastName'],
    ['an unknown field', { ...ada, nickname: 'A' }, '/nickname'],
    ['a read-only field', { ...ada, engagementScore: 3 }, '/engagementScore'],
    ['an id of its own', { ...ada, id: 'x' }, '/id'],
    ['an email without a domain', { ...ada, email: 'ada@' }, '/email'],
    ['a phone that is not E.164', { ...ada, phone: '030 123456' }, '/phone'],
    ['an impossible phone number', { ...ada, phone: '+123' }, '/phone'],
    ['an unknown stage', { ...ada, lifecycleStage: 'vip' }, '/lifecycleStage'],
    ['a zone that is an offset', { ...ada, timezone: '+05:30' }, '/timezone'],
    ['a day that does not exist', { ...ada, dateOfBirth: '1990-02-30' }, '/dateOfBirth'],
    ['tags that are not a list', { ...ada, tags: 'vip' }, '/tags'],
    ['a blank tag', { ...ada, tags: [' '] }, '/tags/0'],
    ['a NUL in a name', { ...ada, firstName: 'A\0da' }, '/firstName'],
    ['a member of an unknown channel', { ...ada, dnd: { fax: true } }, '/dnd/fax'],
    ['an unknown custom field', { ...ada, customFields: { x: 1 } }, '/customFields/x'],
    ['an unknown assignee', { ...ada, assignedTo: crypto.randomUUID() }, '/assignedTo'],
  ] as const)('refuses %s and writes nothing', async ([, body, path], { service }) => {
    const reply = await service.call('POST /api/v1/contacts', { body });

    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.error.details.issues).toContainEqual({
      in: 'body',
      path,
      message: expect.any(String),
    });
    expect(await service.eventNames()).toEqual([]);
    expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(0);
  });

  test('allows one live contact per email, in any case, as primary or additional email', async ({
    service,
  }) => {
    const first = await service.call('POST /api/v1/contacts', {
      body: { ...ada, additionalEmails: ['Countess@Example.com'] },
    });
    const free = 'new@example.com';
    for (const [path, again] of [
      ['/email', { ...ada, email: 'ADA@example.com' }],
      ['/email', { ...ada, email: 'countess@example.com' }],
      ['/additionalEmails/0', { ...ada, email: free, additionalEmails: ['ada@EXAMPLE.com'] }],
    ] as const) {
      const { status, body } = await service.call('POST /api/v1/contacts', { body: again });
      expect([status, body.error.details]).toMatchObject([
        400,
        { reason: 'duplicate_email', contactId: first.body.data.id, issues: [{ path }] },
      ]);
    }
    const elsewhere = await service.call('POST /api/v1/contacts', { body: ada, key: 'other' });
    expect(elsewhere.status).toBe(201);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('exactly one of twenty parallel creations with one email wins, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const body = { ...ada, email: `race${round}@example.com` };
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => service.call('POST /api/v1/contacts', { body })),
      );
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201,
        ...Array(19).fill(400),
      ]);
    }
    expect((await service.call('GET /api/v1/contacts')).body.meta.total).toBe(20);
    expect(await service.eventNames()).toHaveLength(20);
  });

  test('leaves an audit row with the key, the request and the contact', async ({ service }) => {
    const { body, headers } = await service.call('POST /api/v1/contacts', { body: ada });
    const rows = await service.database.rows(
      `select operation, actor_kind, record_id, request_id, key_prefix from audit_entries
       where sub_account_id = $1 order by id desc limit 1`,
      [service.subAccountId],
    );
    expect(rows).toEqual([
      {
        operation: 'contacts.create',
        actor_kind: 'key',
        record_id: body.data.id,
        request_id: headers.get('x-request-id'),
        key_prefix: service.keys.full.slice(0, 'sk_live_'.length + 4),
      },
    ]);
  });

  test('keeps the first spelling of a tag and drops duplicates', async ({ service }) => {
    const { body } = await service.call('POST /api/v1/contacts', {
      body: { ...ada, tags: ['VIP', ' vip ', 'x'] },
    });
    expect(body.data.tags).toEqual(['VIP', 'x']);
  });
});
