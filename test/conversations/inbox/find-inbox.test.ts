import { jsonText } from '#core/schema/json.ts';
import { AGENCY } from '#lib/id.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { countInbox, findInbox } from '../../../src/conversations/inbox/find-inbox.ts';
import type { InboxQuery } from '../../../src/conversations/inbox/inbox.schema.ts';
import { markRead, markUnread } from '../../../src/conversations/inbox/mark-read.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newMember } from '../../tasks/tasks.support.ts';
import { inbound, newThread, patched, post, threadOf } from '../conversations.support.ts';

const NOTE = { channel: 'email', bodyText: 'Do not call before ten', isInternal: true };

/** Returns the rows that a user sees, as the member of the team they are. */
async function inboxOf(
  { openView, clock, subAccountId }: TestService,
  query: InboxQuery,
  memberId: string | null = null,
): Promise<any[]> {
  const view = openView(subAccountId, clock());
  const reply = await findInbox(view, query, { after: undefined, memberId });
  return rowsIn(reply);
}

const rowsIn = ({ data }: Reply): any[] => JSON.parse(jsonText(data));

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Creates conversations with one inbound message each, the oldest first. */
async function threads(service: TestService, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `ada${index}@example.com`;
    const { id } = await newThread(service, 'email', { email });
    await inbound(service, id, { from: email });
    ids.push(id);
  }
  return ids;
}

describe('the inbox', () => {
  test('ordered by activity has the latest message first, without notes', async ({ service }) => {
    const [first = '', second = '', third = ''] = await threads(service, 3);
    await inbound(service, first);
    expect((await post(service, second, NOTE)).status).toBe(201);
    const rows = await inboxOf(service, { order: 'activity' });
    expect(idsIn(rows)).toEqual([first, third, second]);
    expect(rows[2].lastMessage).toEqual({
      bodyText: 'Hello',
      direction: 'inbound',
      authorId: null,
      isAutomatic: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
    expect(idsIn(await inboxOf(service, {}))).toEqual([third, second, first]);
  });

  test('has the same members as the list of the API, and the last message', async ({ service }) => {
    const [id = ''] = await threads(service, 1);
    const [{ lastMessage, ...row }] = await inboxOf(service, {});
    expect(row).toEqual(await threadOf(service, id));
    expect(lastMessage.bodyText).toBe('Hello');
  });

  test('shows a conversation without messages by its creation', async ({ service }) => {
    const { id } = await newThread(service);
    const [later = ''] = await threads(service, 1);
    const rows = await inboxOf(service, { order: 'activity' });
    expect(idsIn(rows)).toEqual([later, id]);
    expect(rows[1].lastMessage).toBeNull();
  });

  test.for(['activity', 'created'] as const)(
    'ordered by %s is paged without gaps or repeats, also at equal times',
    async (order, { service }) => {
      const ids = await threads(service, 7);
      await service.database.rows(
        `update conversations set last_message_at = now() where id = any($1::uuid[])`,
        [ids.slice(2, 6)],
      );
      const view = service.openView(service.subAccountId, service.clock());
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const reply = await findInbox(view, { order, limit: 2 }, { after, memberId: null });
        seen.push(...idsIn(rowsIn(reply)));
        expect(reply.meta).toEqual({ total: 7 });
        after = reply.next ?? undefined;
      } while (after !== undefined);
      expect(seen).toHaveLength(7);
      expect(new Set(seen)).toEqual(new Set(ids));
      const beyond = { after: `1970-01-01T00:00:00.000Z ${AGENCY}`, memberId: null };
      expect(await findInbox(view, { order: 'activity' }, beyond)).toMatchObject({
        meta: { total: 7 },
        next: null,
      });
    },
  );

  test('has views by assignee, which leave out archived conversations', async ({ service }) => {
    const [mine = '', theirs = '', free = '', archived = ''] = await threads(service, 4);
    const [anna, ben] = [await newMember(service, 'anna'), await newMember(service, 'ben')];
    await patched(service, mine, { assignedTo: anna });
    await patched(service, theirs, { assignedTo: ben });
    await patched(service, archived, { isArchived: true });
    const view = async (query: InboxQuery, member: string | null = anna) =>
      new Set(idsIn(await inboxOf(service, query, member)));
    expect(await view({ view: 'mine' })).toEqual(new Set([mine]));
    expect(await view({ view: 'mine' }, null)).toEqual(new Set());
    expect(await view({ view: 'unassigned' })).toEqual(new Set([free]));
    expect(await view({ view: 'all' })).toEqual(new Set([mine, theirs, free]));
    expect(await view({ view: 'all', archived: true })).toEqual(new Set([archived]));
    expect(await view({ archived: true })).toEqual(new Set([archived]));
    expect(await view({})).toEqual(new Set([mine, theirs, free, archived]));
  });

  test('is narrowed by status, channel and unread', async ({ service }) => {
    const [read = '', unread = ''] = await threads(service, 2);
    await patched(service, read, { status: 'closed' });
    const other = await newThread(service, 'messenger', {});
    const find = async (query: InboxQuery) => idsIn(await inboxOf(service, query));
    expect(await find({ unread: true })).toEqual([unread]);
    expect(await find({ unread: false })).toEqual([other.id, read]);
    expect(await find({ status: 'closed' })).toEqual([read]);
    expect(await find({ channel: 'messenger' })).toEqual([other.id]);
    expect(await find({ unread: true, channel: 'messenger' })).toEqual([]);
  });

  test('is searched by the name, address and company of the contact', async ({ service }) => {
    const [, id = ''] = await threads(service, 2);
    const { contactId } = await threadOf(service, id);
    const body = { company: 'Größe 50%' };
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body });
    const find = async (q: string) => idsIn(await inboxOf(service, { q }));
    expect(await find('ADA1@')).toEqual([id]);
    expect(await find('grosse 50%')).toEqual([id]);
    expect(await find('50_')).toEqual([]);
  });

  test('is narrowed to a phone of the contact, main or additional', async ({ service }) => {
    const [first = '', second = ''] = await threads(service, 2);
    const change = async (id: string, body: object) => {
      const { contactId } = await threadOf(service, id);
      await service.call(`PATCH /api/v1/contacts/${contactId}`, { body });
    };
    await change(first, { phone: '+493012345678' });
    await change(second, { additionalPhones: ['+493087654321'] });
    const find = async (phone: string) => idsIn(await inboxOf(service, { phone }));
    expect(await find('+493012345678')).toEqual([first]);
    expect(await find('+493087654321')).toEqual([second]);
    expect(await find('+493000000000')).toEqual([]);
  });

  test('never shows another sub-account', async ({ service }) => {
    await threads(service, 1);
    const view = service.openView(service.otherSubAccountId, service.clock());
    const reply = await findInbox(
      view,
      { order: 'activity' },
      { after: undefined, memberId: null },
    );
    expect([rowsIn(reply), reply.meta]).toEqual([[], { total: 0 }]);
  });

  test('counts open and unread conversations of each view', async ({ service }) => {
    const [mine = '', free = '', closed = '', archived = ''] = await threads(service, 4);
    const anna = await newMember(service, 'anna');
    await patched(service, mine, { assignedTo: anna });
    await patched(service, closed, { status: 'closed' });
    await patched(service, archived, { isArchived: true });
    await service.transact(service.subAccountId, service.actor, (work) => markRead(work, free));
    const view = service.openView(service.subAccountId, service.clock());
    expect((await countInbox(view, anna)).data).toEqual({
      mine: { open: 1, unread: 1 },
      unassigned: { open: 1, unread: 0 },
      all: { open: 2, unread: 1 },
    });
    expect((await countInbox(view, null)).data).toMatchObject({ mine: { open: 0, unread: 0 } });
  });
});

describe('marking', () => {
  test('as read and unread changes the count once, is audited once, and fires nothing', async ({
    service,
  }) => {
    const [id = ''] = await threads(service, 1);
    await inbound(service, id);
    await service.events();
    const { transact, subAccountId, actor } = service;
    const audited = async () =>
      (await service.database.rows('select from audit_entries where record_id = $1', [id])).length;
    const before = await audited();
    for (const [mark, unreadCount] of [
      [markUnread, 2],
      [markRead, 0],
      [markRead, 0],
      [markUnread, 1],
      [markUnread, 1],
    ] as const) {
      await transact(subAccountId, actor, (work) => mark(work, id));
      expect(await threadOf(service, id)).toMatchObject({ unreadCount });
    }
    expect((await audited()) - before).toBe(2);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a conversation of another sub-account is refused', async ({ service }) => {
    const [id = ''] = await threads(service, 1);
    const { transact, otherSubAccountId, actor } = service;
    const marking = transact(otherSubAccountId, actor, (work) => markRead(work, id));
    await expect(marking).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await threadOf(service, id)).toMatchObject({ unreadCount: 1 });
  });
});
