import { traces } from '../../support/samples.ts';
import { describe, expect, test } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import {
  ADA,
  inbound,
  inSandbox,
  MAIL,
  messagesOf,
  newThread,
  patched,
  post,
  queued,
  setUpChannel,
  threadOf,
} from '../conversations.support.ts';

describe('POST /api/v1/conversations/{id}/messages', () => {
  test('stores the message as pending, queues a job that sends it, and fires nothing yet', async ({
    service,
  }) => {
    await setUpChannel(service, 'email');
    const { id } = await newThread(service);
    const { status, body } = await post(service, id, { ...MAIL, bodyHtml: '<p>Tuesday</p>' });
    expect([status, body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          conversationId: id,
          channel: 'email',
          direction: 'outbound',
          bodyText: MAIL.bodyText,
          bodyHtml: '<p>Tuesday</p>',
          status: 'pending',
          fromAddress: null,
          toAddress: ADA.email,
          subject: 'Your visit',
          isInternal: false,
          attachments: [],
          externalId: null,
          errorCode: null,
          errorMessage: null,
          authorId: null,
          authorName: null,
          createdAt: expect.stringMatching(/Z$/),
        },
      },
    ]);
    expect(await messagesOf(service, id)).toEqual([body.data]);
    expect(await queued(service)).toEqual([body.data.id]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('marks the conversation as read and updates its last message; status and assignee stay', async ({
    service,
  }) => {
    await setUpChannel(service, 'email');
    const { id } = await newThread(service);
    await inbound(service, id);
    for (const status of ['open', 'snoozed', 'closed']) {
      await patched(service, id, { status });
      const { body } = await post(service, id, MAIL);
      expect(await threadOf(service, id)).toMatchObject({
        status,
        unreadCount: 0,
        lastMessageAt: body.data.createdAt,
      });
    }
  });

  test('without a provider is refused with a reason and stores nothing', async ({ service }) => {
    const { id } = await newThread(service);
    await setUpChannel(service, 'sms');
    const before = await traces(service);
    const { status, body } = await post(service, id, MAIL);
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      { issues: [expect.objectContaining({ path: '' })], reason: 'channel_not_configured' },
    ]);
    expect([await messagesOf(service, id), await traces(service)]).toEqual([[], before]);
    expect(await queued(service)).toEqual([]);
  });

  test('a new provider is used for the next message', async ({ service }) => {
    const { id } = await newThread(service);
    expect((await post(service, id, MAIL)).status).toBe(400);
    await setUpChannel(service, 'email');
    await expect.poll(async () => (await post(service, id, MAIL)).status).toBe(201);
    await service.database.rows('delete from channels where sub_account_id = $1', [
      service.subAccountId,
    ]);
    await expect.poll(async () => (await post(service, id, MAIL)).status).toBe(400);
  });

  test('in a live chat needs no provider', async ({ service }) => {
    const { id } = await newThread(service, 'live_chat', {});
    const { status, body } = await post(service, id, { channel: 'live_chat', bodyText: 'Hello' });
    expect([status, body.data]).toMatchObject([201, { status: 'pending', toAddress: null }]);
  });

  test.for([
    ['sms', 'email'],
    ['email', 'gmail'],
    ['gmail', 'email'],
    ['live_chat', 'sms'],
    ['messenger', 'live_chat'],
  ] as const)(
    'in a conversation by %s refuses the channel %s, notes included',
    async ([channel, given], { service }) => {
      await inSandbox(service);
      const { id } = await newThread(service, channel);
      for (const isInternal of [false, true]) {
        const { status, body } = await post(service, id, { ...MAIL, channel: given, isInternal });
        expect([status, body.error.details.issues[0].path]).toEqual([400, '/channel']);
      }
      expect(await messagesOf(service, id)).toEqual([]);
    },
  );

  test.for([
    ['email', { subject: undefined }, '/subject'],
    ['email', { bodyText: undefined }, '/bodyText'],
    ['email', { bodyText: ' ' }, '/bodyText'],
    ['email', { bodyText: 'x'.repeat(100_001) }, '/bodyText'],
    ['email', { toAddress: '+4930123456' }, '/toAddress'],
    ['gmail', { toAddress: 'no-one' }, '/toAddress'],
    ['sms', { toAddress: '030 123456' }, '/toAddress'],
    ['sms', { toAddress: ADA.email }, '/toAddress'],
    ['sms', { bodyHtml: '<p>Hi</p>' }, '/bodyHtml'],
    ['messenger', { bodyHtml: '<p>Hi</p>' }, '/bodyHtml'],
    ['email', { status: 'sent' }, '/status'],
    ['email', { fromAddress: 'me@example.com' }, '/fromAddress'],
    ['email', { isInternal: 'yes' }, '/isInternal'],
  ] as const)('by %s refuses %j', async ([channel, wrong, path], { service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, channel);
    const { status, body } = await post(service, id, { ...MAIL, channel, ...wrong });
    expect([status, body.error.details.issues[0].path]).toEqual([400, path]);
    expect([await messagesOf(service, id), await queued(service)]).toEqual([[], []]);
  });
});

describe('a mail by gmail without a subject', () => {
  test('gets the subject of its conversation, or none', async ({ service }) => {
    await inSandbox(service);
    const contactId = await newContact(service, ADA);
    const mail = { channel: 'gmail', bodyText: 'See you on Tuesday' };
    for (const [subject, expected] of [
      ['Your visit, {{firstName}}', 'Your visit, Ada'],
      [undefined, null],
    ]) {
      const body = { contactId, channel: 'gmail', ...(subject && { subject }) };
      const { data } = (await service.call('POST /api/v1/conversations', { body })).body;
      expect((await post(service, data.id, mail)).status).toBe(201);
      const [message] = await service.database.rows<{ subject: string }>(
        'select subject from messages where conversation_id = $1',
        [data.id],
      );
      expect(message?.subject).toBe(expected);
      await patched(service, data.id, { status: 'closed' });
    }
  });
});

describe('a message is sent', () => {
  test.for([
    ['email', ADA.email],
    ['gmail', ADA.email],
    ['sms', ADA.phone],
    ['messenger', null],
    ['social_dm', null],
  ] as const)('by %s to %s by default', async ([channel, expected], { service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, channel);
    const own = await post(service, id, { ...MAIL, channel });
    expect([own.status, own.body.data.toAddress]).toEqual([201, expected]);
    const toAddress = channel === 'sms' ? '+4930999999' : 'other@example.com';
    const given = await post(service, id, { ...MAIL, channel, toAddress });
    expect(given.body.data.toAddress).toBe(toAddress);
  });

  test('to the last sender on the channel, in any conversation', async ({ service }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service, 'messenger');
    await inbound(service, id, { channel: 'messenger', from: 'psid-1' });
    await inbound(service, id, { channel: 'messenger', from: 'psid-2' });
    await patched(service, id, { status: 'closed' });
    const { body } = await service.call('POST /api/v1/conversations', {
      body: { contactId, channel: 'messenger' },
    });
    const sent = await post(service, body.data.id, { channel: 'messenger', bodyText: 'Hi' });
    expect(sent.body.data.toAddress).toBe('psid-2');
  });

  test.for(['email', 'gmail', 'sms'])(
    'by %s only if the contact has an address',
    async (channel, { service }) => {
      await inSandbox(service);
      const { id } = await newThread(service, channel, {});
      const { status, body } = await post(service, id, { ...MAIL, channel });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/toAddress']);
      expect(await messagesOf(service, id)).toEqual([]);
    },
  );
});
