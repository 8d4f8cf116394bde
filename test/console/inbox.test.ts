import { follow } from '../support/event-source.ts';
import { signInAs, type Browser } from '../support/people.ts';
import { openServer } from '../support/server.ts';
import { describe, expect, test as base, type TestService } from '../support/service.ts';
import { apply } from '../support/manifest.ts';
import {
  inbound,
  MAIL,
  newThread,
  post,
  setUpChannel,
} from '../conversations/conversations.support.ts';

/** Simulates a second server process. */
const test = base.extend<{ other: { url: string } }>({
  other: async ({ running: { databaseUrl } }, use) => {
    const other = await openServer({ databaseUrl });
    await use(other);
    await other.stop();
  },
});

const CONVERSATIONS = '/console/api/v1/conversations';
const HOUR_MS = 3_600_000;

/** A conversation with one unread message, and an agent who looks at it. */
async function newInbox(service: TestService) {
  const { id, contactId } = await newThread(service);
  await inbound(service, id);
  return { id, contactId, agent: await signInAs(service, 'agent') };
}

const streamOf = ({ url }: { url: string }, { cookie }: Browser, service: TestService, more = {}) =>
  follow(`${url}/console/api/v1/stream?subAccountId=${service.subAccountId}`, { cookie, ...more });

describe('the inbox of the console', () => {
  test('lists conversations with their last message, by activity, page by page', async ({
    service,
  }) => {
    const { id, agent } = await newInbox(service);
    const later = await newThread(service, 'messenger', {});
    const list = async (query: string) => (await agent.call(`GET ${CONVERSATIONS}?${query}`)).body;
    const first = await list('view=unassigned&order=activity&limit=1');
    expect(first).toMatchObject({ data: [{ id: later.id }], meta: { total: 2, hasMore: true } });
    const second = await list(`view=unassigned&order=activity&limit=1&cursor=${first.meta.cursor}`);
    expect(second.data).toMatchObject([{ id, lastMessage: { bodyText: 'Hello' } }]);
    expect((await list('unread=true&q=ada')).data).toMatchObject([{ id }]);
    expect((await list('view=mine')).data).toEqual([]);
    expect((await agent.call(`GET ${CONVERSATIONS}?view=theirs`)).status).toBe(400);
    const counts = await agent.call('GET /console/api/v1/inbox/counts');
    expect(counts.body.data).toMatchObject({ all: { open: 2, unread: 1 } });
  });

  test('shows what is mine by the email address of the team member', async ({ service }) => {
    const { id } = await newThread(service);
    const anna = await signInAs(service, 'agent', 'anna@harbour.example');
    await apply(service, {
      team: [{ key: 'anna', name: 'Anna Weber', email: 'anna@harbour.example' }],
    });
    const team = await service.call('GET /api/v1/team');
    const assignedTo = team.body.data[0].id;
    await anna.call(`PATCH ${CONVERSATIONS}/${id}`, { body: { assignedTo } });
    const mine = await anna.call(`GET ${CONVERSATIONS}?view=mine`);
    expect(mine.body.data).toMatchObject([{ id, assignedTo }]);
  });

  test('marks as read and unread, snoozes, and fires nothing', async ({ service }) => {
    const { id, agent } = await newInbox(service);
    await service.events();
    const at = (action: string, body: object = {}) =>
      agent.call(`POST ${CONVERSATIONS}/${id}/${action}`, { body });
    expect((await at('read')).body.data).toMatchObject({ id, unreadCount: 0 });
    expect((await at('unread')).body.data).toMatchObject({ id, unreadCount: 1 });
    const until = service.clock().getTime() + HOUR_MS;
    for (const given of [until, new Date(until).toISOString()]) {
      expect((await at('snooze', { until: given })).body.data).toMatchObject({
        status: 'snoozed',
        snoozedUntil: new Date(until).toISOString(),
      });
    }
    const past = await at('snooze', { until: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.error.details.issues[0].path]).toEqual([400, '/until']);
    expect((await at('snooze')).status).toBe(400);
    expect(await service.eventNames()).toEqual([]);
  });

  test('keeps the draft of each user', async ({ service }) => {
    const { id, agent } = await newInbox(service);
    const path = `${CONVERSATIONS}/${id}/draft`;
    const saved = await agent.call(`PUT ${path}`, { body: { bodyText: 'Hello {{firstName}}' } });
    expect(saved.body.data).toMatchObject({ bodyText: 'Hello {{firstName}}', isInternal: false });
    expect((await agent.call(`GET ${path}`)).body).toEqual(saved.body);
    const other = await signInAs(service, 'agent');
    expect((await other.call(`GET ${path}`)).body.data).toMatchObject({ updatedAt: null });
  });

  test('sends a failed message again, and lists saved replies', async ({ service }) => {
    await setUpChannel(service, 'email');
    const { id, agent } = await newInbox(service);
    const { body } = await post(service, id, MAIL);
    const failed = body.data.id;
    await service.database.rows(`update messages set status = 'failed' where id = $1`, [failed]);
    const resend = () => agent.call(`POST ${CONVERSATIONS}/${id}/messages/${failed}/resend`);
    const again = await resend();
    expect([again.status, again.body.data]).toMatchObject([
      201,
      { bodyText: MAIL.bodyText, status: 'pending', conversationId: id },
    ]);
    expect((await resend()).body.error.details).toEqual({
      issues: [{ in: 'body', path: '', message: expect.any(String) }],
      reason: 'sent_again',
      messageId: again.body.data.id,
    });
    const hours = { key: 'hours', name: 'Hours', body: 'We open at nine.' };
    await apply(service, { replies: [hours] });
    const replies = await agent.call('GET /console/api/v1/replies');
    expect(replies.body.data).toMatchObject([hours]);
  });

  test.for(['read', 'unread', 'snooze', 'draft'])(
    'lets a viewer look, but not change anything: %s',
    async (action, { service }) => {
      const { id } = await newInbox(service);
      const viewer = await signInAs(service, 'viewer');
      expect((await viewer.call(`GET ${CONVERSATIONS}?order=activity`)).status).toBe(200);
      const method = action === 'draft' ? 'PUT' : 'POST';
      const body =
        action === 'draft' ? { bodyText: 'Hi' } : action === 'snooze' ? { until: 1 } : {};
      const refused = await viewer.call(`${method} ${CONVERSATIONS}/${id}/${action}`, { body });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    },
  );
});

describe('the stream of the console', () => {
  test('has the changes of every server, and resumes on another', async ({ service, other }) => {
    const { id, agent } = await newInbox(service);
    const streams = await Promise.all(
      [service, other].map((server) => streamOf(server, agent, service)),
    );
    await Promise.all(streams.map((stream) => stream.until(1)));
    const { body } = await post(service, id, { ...MAIL, isInternal: true });
    const said = { topic: 'message', id: body.data.id, conversationId: id };
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      await stream.until(2);
      expect(stream.events[1]).toMatchObject({ event: 'message', data: said });
      stream.leave();
    }
    const [first] = streams[0]?.events ?? [];
    const again = await streamOf(other, agent, service, { 'last-event-id': first?.id });
    await again.until(2);
    expect(again.events[1]?.data).toEqual(said);
    again.leave();
  });

  test('ends when the role changes, which decides what it contains', async ({ service }) => {
    const viewer = await signInAs(service, 'viewer');
    const admin = await signInAs(service, 'admin');
    const stream = await streamOf(service, viewer, service);
    await stream.until(1);
    const { data } = (await admin.call('GET /console/api/v1/users')).body;
    const { id } = data.find((one: { email: string }) => one.email === viewer.email);
    const body = { role: 'integrator' };
    expect((await admin.call(`PATCH /console/api/v1/users/${id}`, { body })).status).toBe(200);
    expect(await stream.ended).toBe('closed');
    const again = await streamOf(service, viewer, service);
    await again.until(1);
    await admin.call('POST /console/api/v1/tasks', { body: { title: 'Call' } });
    const back = { role: 'viewer' };
    await admin.call(`PATCH /console/api/v1/users/${id}`, { body: back });
    expect(await again.ended).toBe('closed');
    expect(again.events.map(({ data: { topic } }) => topic)).toEqual(['ready']);
  });

  test('needs a session and a membership', async ({ service }) => {
    const agent = await signInAs(service, 'agent');
    expect((await streamOf(service, { ...agent, cookie: '' }, service)).status).toBe(401);
    const elsewhere = { ...service, subAccountId: service.otherSubAccountId };
    expect((await streamOf(service, agent, elsewhere)).status).toBe(404);
  });
});
