import { MAIL, newThread, post, setUpChannel } from '../conversations/conversations.support.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { apply, exported, run } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const HOUR_MS = 3_600_000;

const estimate = (key: string, more: object = {}) => ({
  key,
  number: `Q-${key}`,
  contactEmail: 'jo@example.com',
  status: 'sent',
  total: 450,
  currency: 'EUR',
  ...more,
});

/** Creates Jo with an open conversation that has a new message. */
async function inConversation(service: TestService): Promise<{ contactId: string; id: string }> {
  const contactId = await newContact(service, { email: 'jo@example.com' });
  const { body } = await service.call('POST /api/v1/conversations', {
    body: { contactId, channel: 'sms' },
  });
  const { id } = body.data;
  await exchange(service, id);
  await service.events();
  return { contactId, id };
}

async function exchange(service: TestService, conversationId: string, hoursAgo = 0, note = false) {
  await service.database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
       status, is_internal, created_at)
     values ($1, gen_random_uuid(), $2, 'sms', 'outbound', 'Hello', 'sent', $4, $3)`,
    [
      service.subAccountId,
      conversationId,
      new Date(service.clock().getTime() - hoursAgo * HOUR_MS),
      note,
    ],
  );
}

const ask = (service: TestService, contactId: string) =>
  service.call(`GET /api/v1/booking/estimates?contactId=${contactId}`);

describe('GET /api/v1/booking/estimates', () => {
  test('returns approved quotes first, then the newest, at most five', async ({ service }) => {
    const { contactId } = await inConversation(service);
    const estimates = [
      estimate('approved', { status: 'approved', approvedAt: '2026-01-05T10:00:00Z' }),
      ...['1', '2', '3', '4', '5', '6'].map((key) => estimate(key)),
    ];
    await apply(service, { estimates });
    const { status, body } = await ask(service, contactId);
    expect([status, body.meta]).toEqual([200, { total: 5 }]);
    expect(body.data.map(({ number }: { number: string }) => number)).toEqual([
      'Q-approved',
      'Q-6',
      'Q-5',
      'Q-4',
      'Q-3',
    ]);
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      number: 'Q-approved',
      status: 'approved',
      isApproved: true,
      total: 450,
      currency: 'EUR',
      validUntil: null,
      isExpired: false,
      approvedAt: '2026-01-05T10:00:00.000Z',
      createdAt: expect.any(String),
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('returns no drafts, no declined, expired or invoiced quotes, and none past its date', async ({
    service,
  }) => {
    const { contactId } = await inConversation(service);
    const passed = new Date(service.clock().getTime() - 1).toISOString();
    await apply(service, {
      estimates: [
        ...['draft', 'declined', 'expired', 'invoiced'].map((status) =>
          estimate(status, { status }),
        ),
        estimate('late', { validUntil: passed }),
      ],
    });
    const { status, body } = await ask(service, contactId);
    expect([status, body]).toEqual([200, { data: [], meta: { total: 0 } }]);
  });

  test('returns the same 404 for every contact without a current conversation', async ({
    service,
  }) => {
    const { contactId, id } = await inConversation(service);
    await apply(service, { estimates: [estimate('1')] });
    const refused = async (who: string) => {
      const { status, body } = await ask(service, who);
      return [status, body];
    };
    const unknown = await refused(crypto.randomUUID());
    expect(unknown).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);

    const silent = await newContact(service, { email: 'silent@example.com' });
    expect(await refused(silent)).toEqual(unknown);
    const foreign = await newContact(service, { email: 'jo@example.com' }, 'other');
    expect(await refused(foreign)).toEqual(unknown);

    await service.call(`PATCH /api/v1/conversations/${id}`, { body: { status: 'closed' } });
    expect(await refused(contactId)).toEqual(unknown);
    await service.call(`PATCH /api/v1/conversations/${id}`, { body: { status: 'snoozed' } });
    expect((await ask(service, contactId)).status).toBe(200);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    expect(await refused(contactId)).toEqual(unknown);
  });

  test('counts a message for 24 hours, and no internal notes', async ({ service }) => {
    const contactId = await newContact(service, { email: 'jo@example.com' });
    const { body } = await service.call('POST /api/v1/conversations', {
      body: { contactId, channel: 'sms' },
    });
    await exchange(service, body.data.id, 0, true);
    await exchange(service, body.data.id, 24.01);
    expect((await ask(service, contactId)).status).toBe(404);
    await exchange(service, body.data.id, 23.99);
    expect((await ask(service, contactId)).status).toBe(200);
  });

  test('counts a message that a caller of the API sends', async ({ service }) => {
    await setUpChannel(service, 'email');
    const { id, contactId } = await newThread(service);
    expect((await ask(service, contactId)).status).toBe(404);
    expect((await post(service, id, MAIL)).status).toBe(201);
    expect((await ask(service, contactId)).status).toBe(200);
  });

  test.for([
    'contactId=unknown',
    'email=jo@example.com',
    'contactId=01a20061-bfaf-75fd-b65b-fc7bcc886f8d&email=jo@example.com',
    '',
  ])('refuses the query %s', async (query, { service }) => {
    expect((await service.call(`GET /api/v1/booking/estimates?${query}`)).status).toBe(400);
  });

  test('returns the quotes of a merged contact for the kept one', async ({ service }) => {
    const { contactId } = await inConversation(service);
    await apply(service, { estimates: [estimate('1')] });
    const kept = await newContact(service, { email: 'kept@example.com' });
    await service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } });
    expect((await ask(service, kept)).body.meta).toEqual({ total: 1 });
  });
});

describe('the section estimates', () => {
  test('is unchanged by a second apply, and exported as it was written', async ({ service }) => {
    await newContact(service, { email: 'Jo@example.com' });
    const manifest = { estimates: [estimate('1', { validUntil: '2027-01-31T00:00:00Z' })] };
    await apply(service, manifest);
    const again = await apply(service, manifest);
    expect([again.created, again.updated, again.removed]).toEqual([[], [], []]);
    expect((await exported(service)).estimates).toMatchObject([
      { key: '1', number: 'Q-1', contactEmail: 'jo@example.com', total: 450, isApproved: false },
    ]);
  });

  test('refuses an address that no contact has, and writes nothing', async ({ service }) => {
    const manifest = {
      serviceTypes: [{ key: 'a', name: 'A', price: 1 }],
      estimates: [estimate('1')],
    };
    await expect(apply(service, manifest)).rejects.toThrow('no contact has that email');
    expect((await service.call('GET /api/v1/booking/service-types')).body.meta.total).toBe(0);
  });

  test('skips a quote of a deleted contact with a warning, and applies the rest', async ({
    service,
  }) => {
    const gone = await newContact(service, { email: 'Jo@example.com' });
    await newContact(service, { email: 'ann@example.com' });
    const ann = estimate('2', { contactEmail: 'ann@example.com' });
    await apply(service, { estimates: [estimate('1'), ann] });
    await service.call(`DELETE /api/v1/contacts/${gone}`);

    const written = await exported(service);
    expect(written.estimates[0]).toMatchObject({ key: '1', contactEmail: 'jo@example.com' });
    const skipped = [
      {
        section: 'estimates',
        key: '1',
        reason: 'the contact with the email jo@example.com was deleted',
      },
    ];
    for (const dryRun of [true, false]) {
      const { outcome, cautions } = await run(service, written, { dryRun, prune: true });
      expect(outcome).toMatchObject({ created: [], updated: [], removed: [], skipped });
      expect(cautions).toEqual([
        'estimates: 1 is skipped: the contact with the email jo@example.com was deleted',
      ]);
    }
    const estimates = [estimate('1', { total: 1 }), { ...ann, total: 2 }];
    const { outcome } = await run(service, { estimates });
    expect(outcome).toMatchObject({
      skipped,
      updated: [{ key: '2', changes: { total: { from: 450, to: 2 } } }],
    });
    expect((await exported(service)).estimates.map((one: any) => one.total)).toEqual([450, 2]);
    await expect(run(service, { estimates: [estimate('3')] })).rejects.toThrow(
      'test.yaml:1:15: /estimates/0 estimates: 3 is for jo@example.com, but no contact has that email',
    );
  });

  test('assigns the quote of a deleted contact to a new contact with the same email', async ({
    service,
  }) => {
    const gone = await newContact(service, { email: 'jo@example.com' });
    await apply(service, { estimates: [estimate('1')] });
    await service.call(`DELETE /api/v1/contacts/${gone}`);
    const { contactId } = await inConversation(service);
    expect((await ask(service, contactId)).body.meta.total).toBe(0);
    await apply(service, { estimates: [estimate('1')] });
    expect((await ask(service, contactId)).body.meta.total).toBe(1);
  });
});
