import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { follow } from '../support/event-source.ts';
import { describe, expect, test } from '../support/service.ts';
import { began, said, seen, setUpChat, visit } from './chat.support.ts';

describe('the stream of a chat', () => {
  test('closes when its sub-account is deleted', async ({ service }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    await said(service, sessionId, 'Hello');
    const stream = await follow(`${service.url}/api/chat/stream?sessionId=${sessionId}`);
    await stream.until(1);
    await service.transact(service.subAccountId, service.actor, deleteSubAccount);
    expect(await stream.ended).toBe('closed');
  });

  test('closes and is 404 while the chat is disabled; the session continues by polling', async ({
    service,
  }) => {
    await setUpChat(service);
    const sessionId = await began(service);
    const path = `/api/chat/stream?sessionId=${sessionId}`;
    await said(service, sessionId, 'Hello');
    const stream = await follow(service.url + path);
    await stream.until(1);
    await setUpChat(service, { enabled: false });
    expect(await stream.ended).toBe('closed');
    expect((await visit(service, `GET ${path}`)).status).toBe(404);
    expect(await seen(service, sessionId)).toHaveLength(1);
    await setUpChat(service, { enabled: true });
    const again = await follow(service.url + path);
    expect(again.status).toBe(200);
    again.leave();
  });

  test('is not closed by changes of another sub-account', async ({ service }) => {
    await setUpChat(service);
    await setUpChat(service, {}, service.otherSubAccountId);
    const sessionId = await began(service);
    const stream = await follow(`${service.url}/api/chat/stream?sessionId=${sessionId}`);
    await setUpChat(service, { enabled: false }, service.otherSubAccountId);
    await said(service, sessionId, 'Still there?');
    await stream.until(1);
    stream.leave();
  });
});
