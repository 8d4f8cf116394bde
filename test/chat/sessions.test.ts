import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { describe, expect, test } from '../support/service.ts';
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

const contactsOf = async ({ call }: any): Promise<any[]> =>
  (await call('GET /api/v1/contacts')).body.data;

describe('a session', () => {
  test('returns a secret and a time, and nothing else', async ({ service }) => {
    await setUpChat(service);
    const body = { subAccountId: service.subAccountId, ...GRACE };
    const answer = await visit(service, 'POST /api/chat/session', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { sessionId: expect.stringMatching(/^[\w-]{43}$/), createdAt: expect.any(String) },
    });
  });

  test('of a new visitor creates a contact, and fires that event only', async ({ service }) => {
    await setUpChat(service);
    await began(service);
    const [event, ...others] = await service.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      name: 'contact.created',
      data: { firstName: 'Grace', lastName: 'Hopper', source: 'live_chat', tags: [] },
    });
    const [contact] = await contactsOf(service);
    expect(contact).toMatchObject({ email: 'grace@example.com', phone: null });
    expect(await chatsOf(service)).toMatchObject([
      { contactId: contact.id, status: 'open', unreadCount: 0, lastMessageAt: null },
    ]);
  });

  test('of a visitor whose email is null has a contact without one', async ({ service }) => {
    await setUpChat(service);
    const body = { subAccountId: service.subAccountId, ...GRACE, visitorEmail: null };
    expect((await visit(service, 'POST /api/chat/session', body)).status).toBe(201);
    expect(await contactsOf(service)).toMatchObject([{ email: null }]);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('and its messages are audited as actions of a visitor', async ({ service }) => {
    await setUpChat(service);
    await said(service, await began(service), 'Hello');
    const rows = await service.database.rows(
      `select operation, actor_kind, actor, record_id from audit_entries
       where sub_account_id = $1 and operation like 'chat.%' order by id`,
      [service.subAccountId],
    );
    const [{ id }] = await chatsOf(service);
    const visitor = { actor_kind: 'visitor', actor: 'public' };
    expect(rows).toEqual([
      { operation: 'chat.session', ...visitor, record_id: id },
      { operation: 'chat.message', ...visitor, record_id: expect.any(String) },
    ]);
  });

  test('with a single name has no last name, and needs no email', async ({ service }) => {
    await setUpChat(service);
    await began(service, { visitorName: '  Ada ' });
    expect(await contactsOf(service)).toMatchObject([
      { firstName: 'Ada', lastName: '', email: null },
    ]);
  });

  test('with a name that is too long for a contact is cut between characters', async ({
    service,
  }) => {
    await setUpChat(service);
    await began(service, { visitorName: `${'a'.repeat(199)}😀` });
    expect(await contactsOf(service)).toMatchObject([{ firstName: `${'a'.repeat(199)}😀` }]);
  });

  test('with a known email, in any case, belongs to that contact, which does not change', async ({
    service,
  }) => {
    await setUpChat(service);
    const email = 'ada@example.com';
    const contactId = await newContact(service, { email, tags: ['vip'], company: 'Engines' });
    const { body: before } = await service.call(`GET /api/v1/contacts/${contactId}`);
    await service.events();
    const visitor = { visitorName: 'Mallory', visitorEmail: 'ADA@Example.com' };
    const sessionId = await began(service, visitor);
    expect(await service.eventNames()).toEqual([]);
    expect(await seen(service, sessionId)).toEqual([]);
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).body).toEqual(before);
    expect(await chatsOf(service)).toMatchObject([{ contactId }]);

    expect((await said(service, sessionId, 'Hello')).senderName).toBe('Mallory');
    expect(await service.events()).toMatchObject([
      { name: 'message.received', contactId, data: { tags: ['vip'] } },
    ]);
    expect((await service.call(`GET /api/v1/contacts/${contactId}`)).body).toEqual(before);
  });

  test('is a conversation of its own: a reply reaches only this chat of the contact', async ({
    service,
  }) => {
    await setUpChat(service);
    const first = await began(service);
    await said(service, first, 'one');
    const second = await began(service);
    await said(service, second, 'two');
    const [ofSecond, ofFirst] = await chatsOf(service);
    expect(ofSecond.contactId).toBe(ofFirst.contactId);
    expect(ofSecond.id).not.toBe(ofFirst.id);
    await replied(service, ofFirst.id, 'to the first');
    expect(textsIn(await seen(service, first))).toEqual(['one', 'to the first']);
    expect(textsIn(await seen(service, second))).toEqual(['two']);
  });

  test('needs an email if the chat requires it', async ({ service }) => {
    await setUpChat(service, { requireEmail: true });
    const body = { subAccountId: service.subAccountId, visitorName: 'Ada' };
    const answer = await visit(service, 'POST /api/chat/session', body);
    expect([answer.status, answer.body.error.details.issues]).toEqual([
      400,
      [{ in: 'body', path: '/visitorEmail', message: 'is required' }],
    ]);
    expect(await service.eventNames()).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
  });

  test('is 404 if the chat is disabled or not set up, or its sub-account is unknown or deleted', async ({
    service,
  }) => {
    const refused = async (subAccountId: string) => {
      const answer = await visit(service, 'POST /api/chat/session', { subAccountId, ...GRACE });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    };
    await refused(service.subAccountId);
    await setUpChat(service, { enabled: false });
    await refused(service.subAccountId);
    await refused(crypto.randomUUID());
    await refused('no-one');
    await setUpChat(service, {}, service.otherSubAccountId);
    await service.transact(service.otherSubAccountId, service.actor, deleteSubAccount);
    await refused(service.otherSubAccountId);
    expect(await service.eventNames()).toEqual([]);
  });

  test('continues while the chat is disabled', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await setUpChat(service, { enabled: false });
    await said(service, sessionId, 'Still here?');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Still here?']);
  });

  test('is stored as a hash and appears in no keyed response, event or audit row', async ({
    service,
  }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await said(service, sessionId, 'Hello');
    const [chat] = await chatsOf(service);
    const shown = JSON.stringify([
      await contactsOf(service),
      chat,
      (await service.call(`GET /api/v1/conversations/${chat.id}/messages`)).body,
      await service.events(),
      await service.database.rows('select * from audit_entries where sub_account_id = $1', [
        service.subAccountId,
      ]),
      await service.database.rows(
        `select *, encode(secret_hash, 'escape') as text from chat_sessions
         where sub_account_id = $1`,
        [service.subAccountId],
      ),
    ]);
    expect(shown).toContain('Hello');
    expect(shown).not.toContain(sessionId);
  });

  test('started five times concurrently with one email is five chats of one contact, twenty times', async ({
    service,
  }) => {
    await setUpChat(service);
    for (let round = 1; round <= 20; round += 1) {
      const visitor = { visitorName: 'Ada', visitorEmail: `ada-${round}@example.com` };
      const ids = await Promise.all(Array.from({ length: 5 }, () => began(service, visitor)));
      expect(new Set(ids).size).toBe(5);
      expect(await service.eventNames()).toEqual(['contact.created']);
      const { body } = await service.call(`GET /api/v1/contacts?email=${visitor.visitorEmail}`);
      expect(body.data).toHaveLength(1);
      const [{ id }] = body.data;
      const chats = await service.call(`GET /api/v1/conversations?contactId=${id}`);
      expect(chats.body.data).toHaveLength(5);
    }
  });
});
