import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { defineFields } from '../../support/custom-fields.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { brought, contactsOf, FRESH, setUpBridge, threadsOf, words } from './callbacks.support.ts';
import { ADA, messagesOf, newThread, patched, threadOf } from '../conversations.support.ts';

const contactOf = async ({ call }: TestService, id: string): Promise<any> =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data;

describe('a message from a new sender', () => {
  test('creates a contact and a thread, with one event each', async ({ service }) => {
    await setUpBridge(service, 'sms');
    const said = words({ to: '+4930999', contactName: ' Ada  King Lovelace ' });
    const messageId = await brought(service, 'sms', said);
    const [contact] = await contactsOf(service);
    expect(contact).toMatchObject({
      firstName: 'Ada',
      lastName: 'King Lovelace',
      phone: said.from,
      email: null,
      source: 'sms',
    });
    const [thread] = await threadsOf(service);
    expect(thread).toMatchObject({ status: 'open', unreadCount: 1, contactId: contact.id });
    const [message] = await messagesOf(service, thread.id);
    expect(message).toMatchObject({
      id: messageId,
      direction: 'inbound',
      status: 'delivered',
      bodyText: said.bodyText,
      fromAddress: said.from,
      toAddress: said.to,
      externalId: said.externalId,
    });
    expect(thread.lastMessageAt).toBe(message.createdAt);
    expect(await service.events()).toMatchObject([
      { name: 'contact.created', contactId: contact.id },
      {
        name: 'message.received',
        contactId: contact.id,
        data: {
          messageId,
          conversationId: thread.id,
          channel: 'sms',
          bodyText: said.bodyText,
          fromAddress: said.from,
          direction: 'inbound',
          visitorVerified: null,
        },
      },
    ]);
  });

  test.for([
    ['sms', '12345', undefined, { firstName: '12345', lastName: '', phone: null }],
    [
      'email',
      'Ada@Example.com',
      'Ada',
      { firstName: 'Ada', lastName: '', email: 'Ada@Example.com' },
    ],
    ['email', 'not an address', ' ', { firstName: 'not an address', lastName: '', email: null }],
    ['instagram', 'ig-77', 'Ada L.', { firstName: 'Ada', lastName: 'L.', phone: null }],
  ] as const)(
    'by %s from %s, named %s, creates a contact that the next message finds',
    async ([channel, from, contactName, contact], { service }) => {
      await setUpBridge(service, channel);
      const said = { from, ...(contactName && { contactName }) };
      await brought(service, channel, words(said));
      await brought(service, channel, words(said));
      expect(await contactsOf(service)).toMatchObject([{ ...contact, source: channel }]);
      expect(await threadsOf(service)).toMatchObject([{ unreadCount: 2 }]);
      expect(await service.eventNames()).toEqual([...FRESH, 'message.received']);
    },
  );

  test('is stored without control characters, except tabs and line breaks', async ({ service }) => {
    await setUpBridge(service, 'email');
    const bodyText = 'Is\x01 Tuesday\x7f\tstill\r\nfree\u009b?';
    const said = words({ from: ADA.email, bodyText, bodyHtml: '<p>\x02Is\tit?\x1f</p>\n' });
    await brought(service, 'email', said);
    const [thread] = await threadsOf(service);
    const clean = { bodyText: 'Is Tuesday\tstill\r\nfree?', bodyHtml: '<p>Is\tit?</p>\n' };
    expect(await messagesOf(service, thread.id)).toMatchObject([clean]);
    const events = await service.events();
    expect(events.at(-1)).toMatchObject({ data: { bodyText: clean.bodyText } });
  });

  test('is stored without HTML above 2,000,000 bytes', async ({ service }) => {
    await setUpBridge(service, 'email');
    for (const bodyHtml of ['ä'.repeat(1_000_000), 'ä'.repeat(1_000_001)]) {
      await brought(service, 'email', words({ from: ADA.email, bodyHtml }));
    }
    const [thread] = await threadsOf(service);
    const messages = await messagesOf(service, thread.id);
    const sizes = messages.map(({ bodyText, bodyHtml }) => [bodyText, bodyHtml?.length]);
    const { bodyText } = words();
    expect(sizes).toEqual([
      [bodyText, undefined],
      [bodyText, 1_000_000],
    ]);
  });

  test('is accepted without a required custom field', async ({ service }) => {
    await setUpBridge(service, 'sms');
    await defineFields(service, [{ name: 'insurer', type: 'text', isRequired: true }]);
    await brought(service, 'sms', words());
    expect(await contactsOf(service)).toMatchObject([{ customFields: {} }]);
  });
});

describe('a message from a known contact', () => {
  test.for([
    ['email', 'ADA@example.com', { email: 'ada@example.com' }],
    ['email', 'countess@example.com', { additionalEmails: ['Countess@example.com'] }],
    ['gmail', 'ada@example.com', { email: 'ada@example.com' }],
    ['sms', ADA.phone, { phone: ADA.phone }],
    ['sms', ADA.phone, { additionalPhones: [ADA.phone] }],
  ] as const)(
    'by %s from %s belongs to that contact',
    async ([channel, from, contact], { service }) => {
      await setUpBridge(service, channel);
      const thread = await newThread(service, channel, { ...contact, tags: ['vip'] });
      await service.events();
      await brought(service, channel, words({ from }));
      expect(await service.events()).toMatchObject([
        { name: 'message.received', contactId: thread.contactId, data: { tags: ['vip'] } },
      ]);
      expect(await threadsOf(service)).toMatchObject([{ id: thread.id, unreadCount: 1 }]);
    },
  );

  test.for(['closed', 'snoozed'])('reopens the %s thread', async (status, { service }) => {
    for (const channel of ['email', 'sms']) {
      await setUpBridge(service, channel);
    }
    const thread = await newThread(service, 'email', ADA);
    await patched(service, thread.id, { status });
    await brought(service, 'email', words({ from: ADA.email }));
    expect(await threadOf(service, thread.id)).toMatchObject({ status: 'open', unreadCount: 1 });
    await brought(service, 'sms', words({ from: ADA.phone }));
    expect(await threadsOf(service)).toHaveLength(2);
  });

  test('from a phone of several contacts belongs to the contact with the latest message', async ({
    service,
  }) => {
    await setUpBridge(service, 'sms');
    const shared = { phone: ADA.phone };
    const [first, second] = [
      await newThread(service, 'sms', shared),
      await newThread(service, 'sms', shared),
    ];
    const wrote = 'update conversations set last_message_at = now() where id = $1';
    await service.database.rows(wrote, [second.id]);
    await brought(service, 'sms', words());
    expect(await threadOf(service, second.id)).toMatchObject({ unreadCount: 1 });
    expect(await threadOf(service, first.id)).toMatchObject({ unreadCount: 0 });
  });

  test('from a deleted contact creates a new contact', async ({ service }) => {
    await setUpBridge(service, 'instagram');
    await brought(service, 'instagram', words({ from: 'ig-1' }));
    const [gone] = await contactsOf(service);
    await service.call(`DELETE /api/v1/contacts/${gone.id}`);
    await service.events();
    await brought(service, 'instagram', words({ from: 'ig-1' }));
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test('is ordered by its time, which is never in the future', async ({ service }) => {
    await setUpBridge(service, 'sms');
    const day = 24 * 3_600_000;
    const now = service.clock().getTime();
    await brought(service, 'sms', words({ bodyText: 'new', timestamp: now - day }));
    const iso = new Date(now - 2 * day).toISOString();
    await brought(service, 'sms', words({ bodyText: 'old', timestamp: Date.parse(iso) }));
    await brought(service, 'sms', words({ bodyText: 'ahead', timestamp: now + day }));
    const [thread] = await threadsOf(service);
    const messages = await messagesOf(service, thread.id);
    expect(messages.map(({ bodyText }) => bodyText)).toEqual(['ahead', 'new', 'old']);
    expect(messages[2].createdAt).toBe(iso);
    expect(Date.parse(messages[0].createdAt)).toBeLessThan(now + day);
    expect(thread.lastMessageAt).toBe(messages[0].createdAt);
  });
});

describe('SMS keywords', () => {
  const optedOut = async ({ database, subAccountId }: TestService) =>
    database.rows('select channel, address, reason from opt_outs where sub_account_id = $1', [
      subAccountId,
    ]);
  const CLOSED = [{ channel: 'sms', address: ADA.phone, reason: 'stop' }];

  test.for(['STOP', 'STOP\x01', 'stopall', 'Unsubscribe', 'CANCEL', ' end\n', 'quit'])(
    '"%s" opts the phone out of sms and is stored as a message',
    async (bodyText, { service }) => {
      await setUpBridge(service, 'sms');
      await brought(service, 'sms', words({ bodyText }));
      expect(await optedOut(service)).toEqual(CLOSED);
      const [contact] = await contactsOf(service);
      expect((await contactOf(service, contact.id)).dnd).toEqual({ sms: true });
      expect(await threadsOf(service)).toMatchObject([{ unreadCount: 1 }]);
      expect(await service.eventNames()).toEqual(FRESH);
    },
  );

  test.for(['START', 'yes', 'Unstop '])('"%s" opts it in again', async (bodyText, { service }) => {
    await setUpBridge(service, 'sms');
    await brought(service, 'sms', words({ bodyText: 'STOP' }));
    await brought(service, 'sms', words({ bodyText }));
    expect(await optedOut(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([...FRESH, 'message.received']);
  });

  test.for(
    ['manual', 'complaint', 'bounce', 'unsubscribe'].flatMap((reason) =>
      ['YES', 'START'].map((word) => [word, reason] as const),
    ),
  )('"%s" does not lift a suppression for the reason %s', async ([word, reason], { service }) => {
    await setUpBridge(service, 'sms');
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, (work) =>
      suppressAddress(work, { channel: 'sms', address: ADA.phone, reason }),
    );
    await brought(service, 'sms', words({ bodyText: word }));
    expect(await optedOut(service)).toEqual([{ channel: 'sms', address: ADA.phone, reason }]);
    expect(await service.eventNames()).toEqual(FRESH);
  });

  test.for(['Please stop', 'STOP IT', 'stopping', ''])(
    '"%s" is not a keyword',
    async (bodyText, { service }) => {
      await setUpBridge(service, 'sms');
      await brought(service, 'sms', words({ bodyText }));
      expect(await optedOut(service)).toEqual([]);
    },
  );

  test('are ignored on other channels', async ({ service }) => {
    await setUpBridge(service, 'messenger');
    await brought(service, 'messenger', words({ bodyText: 'STOP' }));
    expect(await optedOut(service)).toEqual([]);
  });
});
