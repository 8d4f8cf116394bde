import { describe, expect, test } from '../../support/service.ts';
import { traces } from '../../support/samples.ts';
import { newMember } from '../../tasks/tasks.support.ts';
import { inbound, newThread, opened, patched, threadOf } from '../conversations.support.ts';

describe('PATCH /api/v1/conversations/{id}', () => {
  test('sets status and assignee, alone and together, and fires nothing', async ({ service }) => {
    const { id } = await newThread(service);
    const assignedTo = await newMember(service, 'anna');
    const before = await threadOf(service, id);
    for (const body of [
      { status: 'snoozed' },
      { assignedTo },
      { status: 'closed', assignedTo: null },
      { status: 'open', assignedTo: assignedTo.toUpperCase() },
    ]) {
      await patched(service, id, body);
    }
    expect(await threadOf(service, id)).toEqual({ ...before, assignedTo });
    expect((await patched(service, id, { assignedTo: null })).assignedTo).toBeNull();
    expect(await service.eventNames()).toEqual([]);
  });

  test('every status can follow every other', async ({ service }) => {
    const { id } = await newThread(service);
    for (const status of ['closed', 'snoozed', 'closed', 'open', 'snoozed', 'open', 'closed']) {
      expect((await patched(service, id, { status })).status).toBe(status);
    }
  });

  test('closing marks messages as read, snoozing does not', async ({ service }) => {
    const { id } = await newThread(service);
    await inbound(service, id);
    await inbound(service, id);
    expect(await patched(service, id, { status: 'snoozed' })).toMatchObject({ unreadCount: 2 });
    expect(await patched(service, id, { status: 'open' })).toMatchObject({ unreadCount: 2 });
    expect(await patched(service, id, { status: 'closed' })).toMatchObject({ unreadCount: 0 });
  });

  test.for([{}, { status: 'open' }, { assignedTo: null }, { status: 'open', assignedTo: null }])(
    'with nothing changed by %j answers 200 and writes nothing',
    async (body, { service }) => {
      const { id } = await newThread(service);
      const before = [await threadOf(service, id), await traces(service)];
      const answered = await patched(service, id, body);
      expect([answered, await traces(service)]).toEqual(before);
    },
  );

  test.for(['email', 'messenger'])(
    'refuses a second open conversation by %s and names the first',
    async (channel, { service }) => {
      const { id, contactId } = await newThread(service, channel);
      for (const status of ['closed', 'snoozed']) {
        await patched(service, id, { status });
        const other = await opened(service, { contactId, channel });
        const before = await threadOf(service, id);
        const { status: answered, body } = await service.call(`PATCH /api/v1/conversations/${id}`, {
          body: { status: 'open' },
        });
        expect([answered, body.error.code, body.error.details]).toEqual([
          400,
          'VALIDATION_ERROR',
          {
            reason: 'conversation_open',
            conversationId: other.id,
            issues: [{ in: 'body', path: '/status', message: expect.any(String) }],
          },
        ]);
        expect(await threadOf(service, id)).toEqual(before);
        await patched(service, other.id, { status: 'closed' });
      }
      expect((await patched(service, id, { status: 'open' })).status).toBe('open');
    },
  );

  test('several live chats of one contact can be open', async ({ service }) => {
    const { id, contactId } = await newThread(service, 'live_chat');
    await patched(service, id, { status: 'closed' });
    await opened(service, { contactId, channel: 'live_chat' });
    expect((await patched(service, id, { status: 'open' })).status).toBe('open');
  });

  test('refuses a foreign or unknown team member', async ({ service }) => {
    const { id } = await newThread(service);
    const foreign = await newMember(service, 'eve', service.otherSubAccountId);
    for (const assignedTo of [foreign, crypto.randomUUID()]) {
      const { status, body } = await service.call(`PATCH /api/v1/conversations/${id}`, {
        body: { assignedTo, status: 'closed' },
      });
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/assignedTo']);
    }
    expect(await threadOf(service, id)).toMatchObject({ status: 'open', assignedTo: null });
  });

  test.for([
    [{ status: 'archived' }, '/status'],
    [{ status: null }, '/status'],
    [{ unreadCount: 0 }, '/unreadCount'],
    [{ assignedTo: 'anna' }, '/assignedTo'],
  ] as const)('refuses %j', async ([wrong, path], { service }) => {
    const { id } = await newThread(service);
    const { status, body } = await service.call(`PATCH /api/v1/conversations/${id}`, {
      body: wrong,
    });
    expect([status, body.error.details.issues[0].path]).toEqual([400, path]);
  });

  test('removing the team member unassigns it', async ({ service }) => {
    const { id } = await newThread(service);
    const assignedTo = await newMember(service, 'anna');
    await patched(service, id, { assignedTo });
    await service.database.rows('delete from team_members where id = $1', [assignedTo]);
    expect((await threadOf(service, id)).assignedTo).toBeNull();
  });
});
