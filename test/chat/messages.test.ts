import {
  carried,
  inSandbox,
  messagesOf,
  queued,
  threadOf,
} from '../conversations/conversations.support.ts';
import { newMember } from '../tasks/tasks.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  began,
  chatsOf,
  GRACE,
  replied,
  said,
  seen,
  setUpChat,
  textsIn,
  visit,
} from './chat.support.ts';

async function newChat(service: TestService, visitor: object = GRACE) {
  await setUpChat(service);
  const sessionId = await began(service, visitor);
  const [{ id, contactId }] = await chatsOf(service);
  await service.events();
  return { sessionId, id, contactId };
}

describe('a visitor’s message', () => {
  test('is stored without control characters, except tabs and line breaks', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const row = await said(service, sessionId, 'Hel\x01lo\t\u009b\nyou\x7f');
    expect(row).toMatchObject({ bodyText: 'Hello\t\nyou' });
    expect(await messagesOf(service, id)).toMatchObject([{ bodyText: 'Hello\t\nyou' }]);
    const blank = { sessionId, message: ' \x01\n' };
    const { status } = await service.call('POST /api/chat/message', { key: null, body: blank });
    expect(status).toBe(400);
  });

  test('is returned as it is listed, and fires message.received once', async ({ service }) => {
    const { sessionId, id, contactId } = await newChat(service);
    const row = await said(service, sessionId, ' <b>Hello</b> & {{firstName}}\n ');
    expect(row).toEqual({
      id: expect.any(String),
      direction: 'inbound',
      bodyText: ' <b>Hello</b> & {{firstName}}\n ',
      senderName: 'Grace Hopper',
      senderPictureUrl: null,
      attachments: [],
      createdAt: expect.any(String),
    });
    expect(await seen(service, sessionId)).toEqual([row]);
    expect(await service.events()).toMatchObject([
      {
        name: 'message.received',
        contactId,
        data: {
          messageId: row.id,
          conversationId: id,
          channel: 'live_chat',
          bodyText: row.bodyText,
          fromAddress: 'grace@example.com',
          direction: 'inbound',
          visitorVerified: false,
        },
      },
    ]);
    expect(await messagesOf(service, id)).toMatchObject([
      { id: row.id, status: 'delivered', bodyText: row.bodyText, bodyHtml: null },
    ]);
  });

  test('counts as unread until a reply', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    await said(service, sessionId, 'Hello');
    const { createdAt } = await said(service, sessionId, 'Anybody?');
    const thread = await threadOf(service, id);
    expect([thread.unreadCount, thread.lastMessageAt]).toEqual([2, createdAt]);
    await replied(service, id, 'Yes');
    expect((await threadOf(service, id)).unreadCount).toBe(0);
  });

  test.for(['closed', 'snoozed'])('reopens a %s conversation', async (status, { service }) => {
    const { sessionId, id } = await newChat(service);
    await service.call(`PATCH /api/v1/conversations/${id}`, { body: { status } });
    await said(service, sessionId, 'One more thing');
    expect(await threadOf(service, id)).toMatchObject({ status: 'open', unreadCount: 1 });
    expect(await chatsOf(service)).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['message.received']);
  });

  test('must have 1 to 5,000 characters and not be blank', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    for (const message of ['', ' \n', 'x'.repeat(5_001)]) {
      const answer = await visit(service, 'POST /api/chat/message', { sessionId, message });
      expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, '/message']);
    }
    const longest = '🙂'.repeat(5_000);
    expect((await said(service, sessionId, longest)).bodyText).toBe(longest);
    expect(await messagesOf(service, id)).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['message.received']);
  });
});

describe('a reply', () => {
  test('appears in the chat at once, and the job marks it as sent', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const question = await said(service, sessionId, 'Are you there?');
    await service.events();
    const { id: messageId, status } = await replied(service, id, 'I am, {{firstName}}');
    expect(status).toBe('pending');
    const rows = await seen(service, sessionId);
    expect(rows).toEqual([
      question,
      {
        id: messageId,
        direction: 'outbound',
        bodyText: 'I am, Grace',
        senderName: 'Harbour Dental',
        senderPictureUrl: null,
        attachments: [],
        createdAt: expect.any(String),
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
    expect(await queued(service)).toEqual([messageId]);
    await carried(service, messageId);
    expect(await service.events()).toMatchObject([
      { name: 'message.sent', data: { messageId, channel: 'live_chat', status: 'sent' } },
    ]);
    expect(await seen(service, sessionId)).toEqual(rows);
  });

  test('reaches the visitor of a sandbox, too, and is delivered', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    await inSandbox(service);
    const { id: messageId } = await replied(service, id, 'Hello');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
    await carried(service, messageId);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'delivered' }]);
  });

  test('has the name of the assignee when it was written, else of the brand', async ({
    service,
  }) => {
    const { sessionId, id } = await newChat(service);
    await replied(service, id, 'Hello');
    const { database, subAccountId } = service;
    await database.rows(`update sub_accounts set brand = 'Harbour' where id = $1`, [subAccountId]);
    const names = async () => (await seen(service, sessionId)).map(({ senderName }) => senderName);
    expect(await names()).toEqual(['Harbour']);
    const assignedTo = await newMember(service, 'anna');
    await service.call(`PATCH /api/v1/conversations/${id}`, { body: { assignedTo } });
    const [{ name }] = await database.rows<any>('select name from team_members where id = $1', [
      assignedTo,
    ]);
    await replied(service, id, 'Hello again');
    expect(await names()).toEqual(['Harbour', name]);
  });

  test('is not shown if it is an internal note', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const body = { channel: 'live_chat', bodyText: 'Sounds angry', isInternal: true };
    expect((await service.call(`POST /api/v1/conversations/${id}/messages`, { body })).status).toBe(
      201,
    );
    await replied(service, id, 'Hello');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
  });
});

describe('the list', () => {
  test('continues after a message, oldest first, in pages of 100', async ({ service }) => {
    const { sessionId } = await newChat(service);
    const rows: any[] = [];
    for (let n = 1; n <= 103; n += 1) {
      rows.push(await said(service, sessionId, String(n)));
    }
    const page = await visit(service, `GET /api/chat/messages?sessionId=${sessionId}`);
    expect(page.body).toEqual({ data: rows.slice(0, 100), meta: { hasMore: true } });
    const after = rows[99].id;
    const rest = await visit(
      service,
      `GET /api/chat/messages?sessionId=${sessionId}&after=${after.toUpperCase()}`,
    );
    expect(rest.body).toEqual({ data: rows.slice(100), meta: { hasMore: false } });
    expect(await seen(service, sessionId, rows[102].id)).toEqual([]);
  });

  test('is empty after an unknown message or one of another chat', async ({ service }) => {
    const { sessionId } = await newChat(service);
    await said(service, sessionId, 'Hello');
    const other = await began(service, { visitorName: 'Ada' });
    const { id } = await said(service, other, 'Hi');
    expect(await seen(service, sessionId, id)).toEqual([]);
    expect(await seen(service, sessionId, crypto.randomUUID())).toEqual([]);
  });

  test('contains no messages that a provider received from the same contact', async ({
    service,
  }) => {
    const { sessionId, id } = await newChat(service);
    await said(service, sessionId, 'Hello');
    await service.database.rows(
      `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
         status, from_address, external_id, created_at)
       values ($1, $2, $3, 'live_chat', 'inbound', 'Private', 'delivered', 'x', 'x-1', now())`,
      [service.subAccountId, crypto.randomUUID(), id],
    );
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello']);
  });
});
