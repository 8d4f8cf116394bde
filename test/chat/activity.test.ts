import { follow } from '../support/event-source.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { carried, messagesOf, threadOf } from '../conversations/conversations.support.ts';
import { began, chatsOf, replied, setUpChat, visit } from './chat.support.ts';

async function newChat(service: TestService) {
  await setUpChat(service);
  const sessionId = await began(service);
  const [{ id }] = await chatsOf(service);
  const agent = await signInAs(service, 'agent');
  await service.events();
  return { sessionId, id, agent, path: `/console/api/v1/conversations/${id}/presence` };
}

describe('presence', () => {
  test('shows a user the others that look or type, until they leave or fall silent', async ({
    service,
  }) => {
    const { agent, path } = await newChat(service);
    const other = await signInAs(service, 'viewer');
    const say = async (browser: typeof agent, state: string) =>
      (await browser.call(`POST ${path}`, { body: { state } })).body.data;
    expect(await say(agent, 'typing')).toEqual([]);
    expect(await say(other, 'viewing')).toEqual([
      {
        participant: expect.any(String),
        name: agent.email,
        isTyping: true,
        expiresAt: expect.any(String),
      },
    ]);
    expect(await say(agent, 'viewing')).toMatchObject([{ name: other.email, isTyping: false }]);
    await say(other, 'left');
    expect((await agent.call(`GET ${path}`)).body.data).toEqual([]);
    await say(other, 'typing');
    service.clock.advance(9_000);
    expect((await agent.call(`GET ${path}`)).body.data).toMatchObject([{ isTyping: false }]);
    service.clock.advance(30_000);
    expect((await agent.call(`GET ${path}`)).body.data).toEqual([]);
    expect((await agent.call(`POST ${path}`, { body: { state: 'asleep' } })).status).toBe(400);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is told to the stream when it changes, not with every heartbeat', async ({ service }) => {
    const { agent, path, id } = await newChat(service);
    const stream = await follow(
      `${service.url}/console/api/v1/stream?subAccountId=${service.subAccountId}`,
      { cookie: agent.cookie },
    );
    await stream.until(1);
    for (const state of ['viewing', 'viewing', 'typing', 'left']) {
      await agent.call(`POST ${path}`, { body: { state } });
    }
    await stream.until(4);
    await service.call('POST /api/v1/tasks', { body: { title: 'The end' } });
    await stream.until(5);
    expect(stream.events.slice(1).map(({ data }) => data)).toMatchObject([
      { topic: 'presence', id },
      { topic: 'presence', id },
      { topic: 'presence', id },
      { topic: 'task' },
    ]);
    stream.leave();
  });

  test('shows the team that a visitor types', async ({ service }) => {
    const { sessionId, agent, path } = await newChat(service);
    const typing = (more = {}) => visit(service, 'POST /api/chat/typing', { sessionId, ...more });
    expect((await typing()).body).toEqual({ data: { ok: true } });
    expect((await agent.call(`GET ${path}`)).body.data).toMatchObject([
      { participant: 'visitor', name: 'Grace Hopper', isTyping: true },
    ]);
    await typing({ isTyping: false });
    expect((await agent.call(`GET ${path}`)).body.data).toMatchObject([{ isTyping: false }]);
    const unknown = `${sessionId.slice(0, -6)}AAAAAA`;
    expect((await visit(service, 'POST /api/chat/typing', { sessionId: unknown })).status).toBe(
      404,
    );
  });

  test('shows a visitor that the team types, and that it stops, each once', async ({ service }) => {
    const { sessionId, agent, path } = await newChat(service);
    const stream = await follow(`${service.url}/api/chat/stream?sessionId=${sessionId}`);
    const states = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'viewing' : 'typing'));
    for (const [index, state] of states.entries()) {
      await agent.call(`POST ${path}`, { body: { state } });
      await stream.until(index + 1);
    }
    const typing = { event: 'typing', data: { isTyping: true, forMs: 8_000 } };
    const stopped = { event: 'typing', data: { isTyping: false, forMs: 0 } };
    expect(stream.events).toMatchObject(
      states.map((state) => (state === 'typing' ? typing : stopped)),
    );
    stream.leave();
  });
});

describe('messages that a visitor has seen', () => {
  test('are marked as read up to the last one, once, with one event each', async ({ service }) => {
    const { sessionId, id } = await newChat(service);
    const [first, second, third] = [
      await replied(service, id, 'One'),
      await replied(service, id, 'Two'),
      await replied(service, id, 'Three'),
    ].map((reply: any) => reply.id ?? reply) as [string, string, string];
    await carried(service, first);
    await service.events();
    const seen = (messageId: string) =>
      visit(service, 'POST /api/chat/seen', { sessionId, messageId });
    for (let round = 0; round < 2; round += 1) {
      expect((await seen(second)).body).toEqual({ data: { ok: true } });
    }
    const statuses = (await messagesOf(service, id)).map((message) => [message.id, message.status]);
    expect(statuses).toEqual([
      [third, 'pending'],
      [second, 'read'],
      [first, 'read'],
    ]);
    const events = await service.events();
    expect(events.map(({ name, data }) => [name, data.messageId, data.status])).toEqual([
      ['message.delivered', first, 'read'],
      ['message.delivered', second, 'read'],
    ]);
    expect((await seen(crypto.randomUUID())).status).toBe(200);
    expect(await service.eventNames()).toEqual([]);
    expect(await threadOf(service, id)).toMatchObject({ status: 'open' });
  });

  test('are only those of the own chat', async ({ service }) => {
    const { id } = await newChat(service);
    const reply: any = await replied(service, id, 'One');
    const messageId = reply.id ?? reply;
    const sessionId = await began(service, { visitorName: 'Eve' });
    await service.events();
    await visit(service, 'POST /api/chat/seen', { sessionId, messageId });
    expect((await messagesOf(service, id))[0].status).toBe('pending');
    expect(await service.eventNames()).toEqual([]);
  });
});
