import { resendMessage } from '../../../src/conversations/messages/resend-message.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import {
  MAIL,
  messagesOf,
  newThread,
  post,
  queued,
  setUpChannel,
  suppress,
} from '../conversations.support.ts';

/** Sends a mail that failed with this status. */
async function failed(service: TestService, status = 'failed', bodyText = MAIL.bodyText) {
  await setUpChannel(service, 'email');
  const { id: conversationId } = await newThread(service);
  const sent = await post(service, conversationId, { ...MAIL, bodyText });
  const messageId: string = sent.body.data.id;
  await service.database.rows('update messages set status = $2 where id = $1', [messageId, status]);
  await service.database.rows('delete from graphile_worker._private_jobs');
  await service.events();
  return { conversationId, messageId };
}

const resend = (
  { transact, subAccountId, actor }: TestService,
  ids: { conversationId: string; messageId: string },
  owner = subAccountId,
) => transact(owner, actor, (work) => resendMessage(work, ids));

describe('sending a failed message again', () => {
  test.for(['failed', 'bounced'])(
    'writes a pending copy of a %s one, and the failure stays',
    async (status, { service }) => {
      const ids = await failed(service, status, 'Hello {{firstName}} & {{"{{"}}');
      const [original] = await messagesOf(service, ids.conversationId);
      const copy = await resend(service, ids);
      const [message, before] = await messagesOf(service, ids.conversationId);
      expect(before).toEqual(original);
      const { id, createdAt, status: pending, ...same } = message;
      expect([id, pending]).toEqual([(copy as { id: string }).id, 'pending']);
      expect(original).toMatchObject(same);
      expect(createdAt).not.toBe(original.createdAt);
      expect(await queued(service)).toEqual([id]);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('does so once, also for two calls at a time, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const ids = await failed(service);
      const calls = await Promise.allSettled([resend(service, ids), resend(service, ids)]);
      expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = calls.find((call) => call.status === 'rejected');
      const [copy] = await messagesOf(service, ids.conversationId);
      expect(refused?.reason).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'sent_again', messageId: copy.id },
      });
      await service.database.rows('delete from messages');
      await service.database.rows('delete from conversations');
      await service.database.rows('delete from channels');
      await service.database.rows('delete from contact_emails');
    }
  });

  test.for(['pending', 'sent', 'delivered', 'read'])(
    'refuses a %s one',
    async (status, { service }) => {
      const ids = await failed(service, status);
      await expect(resend(service, ids)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'not_failed' },
      });
      expect(await messagesOf(service, ids.conversationId)).toHaveLength(1);
    },
  );

  test('skips a contact that opted out meanwhile', async ({ service }) => {
    const ids = await failed(service);
    await suppress(service, 'email', 'ada@example.com');
    expect(await resend(service, ids)).toMatchObject({ skipped: { reason: 'dnd' } });
    expect(await queued(service)).toEqual([]);
  });

  test('finds no message of another sub-account or conversation', async ({ service }) => {
    const ids = await failed(service);
    const { id: conversationId } = await newThread(service, 'messenger', {});
    for (const attempt of [
      () => resend(service, ids, service.otherSubAccountId),
      () => resend(service, { ...ids, conversationId }),
      () => resend(service, { ...ids, messageId: crypto.randomUUID() }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
