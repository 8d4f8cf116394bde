import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { describe, expect, test } from '../support/service.ts';
import { began, chatsOf, said, seen, setUpChat, textsIn, visit } from './chat.support.ts';

describe('the end of a session', () => {
  const isGone = async (service: any, sessionId: string) => {
    for (const answer of [
      await visit(service, `GET /api/chat/messages?sessionId=${sessionId}`),
      await visit(service, `GET /api/chat/stream?sessionId=${sessionId}`),
      await visit(service, 'POST /api/chat/message', { sessionId, message: 'Hello?' }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([
        404,
        { code: 'NOT_FOUND', message: 'chat session not found' },
      ]);
    }
  };

  test('comes with the deletion of its contact', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await said(service, sessionId, 'Hello');
    const [{ contactId }] = await chatsOf(service);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    await service.events();
    await isGone(service, sessionId);
    expect(await service.eventNames()).toEqual([]);
  });

  test('comes with the deletion of its sub-account', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await service.transact(service.subAccountId, service.actor, deleteSubAccount);
    await isGone(service, sessionId);
  });

  test('is indistinguishable from a session that never existed', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const foreign = `${'A'.repeat(21)}${sessionId.slice(21)}`;
    const close = sessionId.slice(0, -1) + (sessionId.endsWith('A') ? 'B' : 'A');
    for (const id of [
      foreign,
      close,
      sessionId.toLowerCase(),
      'no-one',
      `${sessionId}A`,
      '%27--',
    ]) {
      await isGone(service, id);
    }
    expect(await seen(service, sessionId)).toEqual([]);
  });

  test('does not come with a merge of its contact', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await said(service, sessionId, 'Hello');
    const [chat] = await chatsOf(service);
    const keptId = await newContact(service, {});
    await service.call(`POST /api/v1/contacts/${keptId}/merge`, {
      body: { contactId: chat.contactId },
    });
    await service.events();
    await said(service, sessionId, 'Still me');
    expect(textsIn(await seen(service, sessionId))).toEqual(['Hello', 'Still me']);
    expect(await service.events()).toMatchObject([
      { name: 'message.received', contactId: keptId, data: { conversationId: chat.id } },
    ]);
  });
});
