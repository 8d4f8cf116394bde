import { newId } from '#lib/id.ts';
import { jsonText } from '#core/schema/json.ts';
import { DAY_MS } from '#lib/duration.ts';
import { findDraft, saveDraft } from '../../../src/conversations/inbox/drafts.ts';
import { receiveReceipt } from '../../../src/conversations/inbound/receive-receipt.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact, newMember } from '../../tasks/tasks.support.ts';
import {
  ADA,
  inbound,
  inSandbox,
  MAIL,
  messagesOf,
  newThread,
  opened,
  patched,
  post,
  threadOf,
} from '../conversations.support.ts';

const SENT = `insert into messages (sub_account_id, id, conversation_id, channel, direction, status,
    external_id, created_at)
  values ($1, $2, $3, 'sms', 'outbound', 'sent', $4, now())`;

const deleteContact = ({ call }: TestService, id: string) => call(`DELETE /api/v1/contacts/${id}`);

const merge = ({ call }: TestService, kept: string, other: string) =>
  call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId: other } });

const listed = async ({ call }: TestService, contactId: string) =>
  (await call(`GET /api/v1/conversations?contactId=${contactId}`)).body;

describe('when a contact is deleted', () => {
  test('its conversations disappear everywhere, others stay, and nothing fires', async ({
    service,
  }) => {
    const { id, contactId } = await newThread(service);
    const closed = await opened(service, { contactId, channel: 'sms' });
    await patched(service, closed.id, { status: 'closed' });
    const other = await newThread(service, 'email', {});
    await deleteContact(service, contactId);

    for (const gone of [id, closed.id]) {
      for (const [line, body] of [
        [`GET /api/v1/conversations/${gone}`],
        [`GET /api/v1/conversations/${gone}/messages`],
        [`POST /api/v1/conversations/${gone}/messages`, { ...MAIL, isInternal: true }],
        [`PATCH /api/v1/conversations/${gone}`, { status: 'open' }],
      ] as const) {
        expect((await service.call(line, body && { body })).status, line).toBe(404);
      }
    }
    const { body } = await service.call('GET /api/v1/conversations');
    expect([body.data.map((one: any) => one.id), body.meta.total]).toEqual([[other.id], 1]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a conversation that is opened or changed meanwhile is refused or gone, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id, contactId } = await newThread(service, 'sms', {});
      const [deleted, created, changed, note] = await Promise.all([
        deleteContact(service, contactId),
        service.call('POST /api/v1/conversations', { body: { contactId, channel: 'email' } }),
        service.call(`PATCH /api/v1/conversations/${id}`, { body: { status: 'closed' } }),
        post(service, id, { channel: 'sms', bodyText: 'x', isInternal: true }),
      ]);
      expect(deleted.status).toBe(200);
      expect([201, 400]).toContain(created.status);
      expect([200, 404]).toContain(changed.status);
      expect([201, 404]).toContain(note.status);
      expect((await listed(service, contactId)).meta.total).toBe(0);
    }
  });
});

describe('when a contact is merged into another', () => {
  test('its conversations move unchanged, with their messages', async ({ service }) => {
    const kept = await newContact(service);
    const { id, contactId: other } = await newThread(service);
    const sms = await opened(service, { contactId: other, channel: 'sms' });
    await patched(service, sms.id, { status: 'snoozed' });
    await inbound(service, id);
    const before = await threadOf(service, id);
    expect((await merge(service, kept, other)).status).toBe(200);

    const contact = { name: 'Ada Lovelace', email: ADA.email, phone: ADA.phone };
    expect(await threadOf(service, id)).toEqual({ ...before, contactId: kept, contact });
    expect(await threadOf(service, sms.id)).toMatchObject({ contactId: kept, status: 'snoozed' });
    expect(await messagesOf(service, id)).toHaveLength(1);
    expect((await listed(service, kept)).meta.total).toBe(2);
    expect((await service.eventNames()).filter((name) => name.startsWith('message'))).toEqual([]);
  });

  test('of two open conversations the kept contact’s stays open, and the other is closed', async ({
    service,
  }) => {
    const { id: own, contactId: kept } = await newThread(service, 'email', {});
    const { id: moved, contactId: other } = await newThread(service, 'email', {});
    await inbound(service, own);
    await inbound(service, moved);
    await merge(service, kept, other);
    expect(await threadOf(service, own)).toMatchObject({ status: 'open', unreadCount: 1 });
    expect(await threadOf(service, moved)).toMatchObject({
      contactId: kept,
      status: 'closed',
      unreadCount: 0,
    });
    const again = await opened(service, { contactId: kept, channel: 'email' }, 200);
    expect(again.id).toBe(own);
  });

  test.for([
    ['closed', 'open', 'open'],
    ['open', 'snoozed', 'open'],
    ['closed', 'snoozed', 'snoozed'],
  ] as const)(
    'by sms a %s and a %s thread are united into a thread that is %s',
    async ([own, moved, status], { service }) => {
      await inSandbox(service);
      const { id, contactId: kept } = await newThread(service, 'sms', {});
      const { id: gone, contactId: other } = await newThread(service, 'sms', {});
      const texts = [];
      for (const into of [id, gone, id, gone]) {
        texts.unshift(await inbound(service, into, { channel: 'sms', from: '+4930123456' }));
      }
      const { lastMessageAt } = await threadOf(service, gone);
      await service.database.rows('update conversations set status = $2 where id = $1', [id, own]);
      await patched(service, gone, { status: moved });
      await merge(service, kept, other);

      expect(await threadOf(service, id)).toMatchObject({ status, unreadCount: 4, lastMessageAt });
      const messages = await messagesOf(service, id);
      expect(messages.map((one) => one.id)).toEqual(texts);
      expect(new Set(messages.map((one) => one.conversationId))).toEqual(new Set([id]));
      expect((await service.call(`GET /api/v1/conversations/${gone}`)).status).toBe(404);
      expect((await listed(service, kept)).meta.total).toBe(1);
      const { body } = await service.call('GET /api/v1/conversations');
      expect(body.meta.total).toBe(1);
    },
  );

  test('a united sms thread keeps the assignee, the end of the snooze and the drafts', async ({
    service,
  }) => {
    const { subAccountId, transact, actor, openView, clock } = service;
    const { id: kept, contactId } = await newThread(service, 'sms', {});
    const { id: gone, contactId: other } = await newThread(service, 'sms', {});
    const assignedTo = await newMember(service, 'anna');
    const snoozedUntil = new Date(Date.now() + DAY_MS).toISOString();
    await patched(service, kept, { status: 'closed' });
    await patched(service, gone, { status: 'snoozed', snoozedUntil, assignedTo });
    const [both, one] = [crypto.randomUUID(), crypto.randomUUID()];
    await transact(subAccountId, actor, async (work) => {
      const save = (conversationId: string, userId: string, bodyText: string, isInternal = false) =>
        saveDraft(work, { conversationId, userId }, { bodyText, isInternal });
      save(kept, both, 'Dear Ada,');
      save(gone, both, 'call her back', true);
      save(gone, one, 'Thank you');
    });
    await merge(service, contactId, other);

    expect(await threadOf(service, kept)).toMatchObject({
      status: 'snoozed',
      snoozedUntil,
      assignedTo,
    });
    const view = openView(subAccountId, clock());
    const drafts = [both, one].map((userId) => findDraft(view, { conversationId: kept, userId }));
    const texts = await Promise.all(drafts);
    expect(texts.map(({ data }) => JSON.parse(jsonText(data)))).toMatchObject([
      { bodyText: 'Dear Ada,\n\ncall her back', isInternal: true },
      { bodyText: 'Thank you', isInternal: false },
    ]);
  });

  test('a message written meanwhile is in the kept contact’s thread, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const kept = await newContact(service);
      const { id, contactId: other } = await newThread(service, 'email', {});
      const note = { ...MAIL, isInternal: true };
      const [merged, ...notes] = await Promise.all([
        merge(service, kept, other),
        ...[1, 2, 3].map(() => post(service, id, note)),
      ]);
      expect([merged, ...notes].map(({ status }) => status)).toEqual([200, 201, 201, 201]);
      expect((await threadOf(service, id)).contactId).toBe(kept);
      expect(await messagesOf(service, id)).toHaveLength(3);
    }
  });

  test('a status that is reported meanwhile applies, twenty times', async ({ service }) => {
    const { transact, subAccountId, actor } = service;
    for (let round = 0; round < 20; round += 1) {
      const { contactId: kept } = await newThread(service, 'sms', {});
      const { id, contactId: other } = await newThread(service, 'sms', {});
      const names = [1, 2, 3].map((n) => `SM${round}-${n}`);
      for (const externalId of names) {
        await service.database.rows(SENT, [subAccountId, newId(new Date()), id, externalId]);
      }
      const [merged] = await Promise.all([
        merge(service, kept, other),
        ...names.map((externalId) =>
          transact(subAccountId, actor, (work) =>
            receiveReceipt(work, 'sms', { externalId, status: 'delivered' }),
          ),
        ),
      ]);
      expect(merged.status).toBe(200);
      const [thread] = (await listed(service, kept)).data;
      const messages = await messagesOf(service, thread.id);
      expect(messages.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    }
  });

  test('one conversation is open at the end while both are written to and opened, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      for (const channel of ['email', 'sms']) {
        const { id: own, contactId: kept } = await newThread(service, channel, {});
        const { id: moved, contactId: other } = await newThread(service, channel, {});
        await patched(service, own, { status: 'closed' });
        const [merged, ...answers] = await Promise.all([
          merge(service, kept, other),
          service.call(`PATCH /api/v1/conversations/${own}`, { body: { status: 'open' } }),
          service.call('POST /api/v1/conversations', { body: { contactId: kept, channel } }),
          service.call('POST /api/v1/conversations', { body: { contactId: other, channel } }),
          post(service, moved, { channel, bodyText: 'x', isInternal: true }),
        ]);
        expect(merged.status).toBe(200);
        expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
        const { body } = await service.call(
          `GET /api/v1/conversations?contactId=${kept}&status=open`,
        );
        expect([channel, body.meta.total]).toEqual([channel, 1]);
        expect((await listed(service, other)).meta.total).toBe(0);
      }
    }
  });
});
