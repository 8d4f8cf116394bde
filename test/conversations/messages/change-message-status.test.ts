import {
  type StatusChange,
  changeMessageStatus,
} from '../../../src/conversations/messages/change-message-status.ts';
import {
  canBecome,
  MESSAGE_STATUSES,
  type MessageStatus,
} from '../../../src/conversations/messages/message.schema.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { ADA, inSandbox, MAIL, messagesOf, newThread, post } from '../conversations.support.ts';

async function newMessage(service: TestService, status: MessageStatus = 'pending') {
  await inSandbox(service);
  const thread = await newThread(service, 'email', { ...ADA, tags: ['vip'] });
  const { id } = (await post(service, thread.id, MAIL)).body.data;
  await service.database.rows('update messages set status = $2 where id = $1', [id, status]);
  return { id: id as string, thread };
}

const change = ({ transact, subAccountId, actor }: TestService, id: string, to: StatusChange) =>
  transact(subAccountId, actor, (work) => changeMessageStatus(work, id, to));

/** The event of each status. */
const ANNOUNCED: Readonly<Record<MessageStatus, string>> = {
  pending: 'nothing',
  sent: 'message.sent',
  delivered: 'message.delivered',
  read: 'message.delivered',
  failed: 'message.failed',
  bounced: 'message.failed',
};

const PAIRS = MESSAGE_STATUSES.flatMap((from) => MESSAGE_STATUSES.map((to) => [from, to] as const));
const RISES = PAIRS.filter(([from, to]) => canBecome(from, to));
const REST = PAIRS.filter(([from, to]) => !canBecome(from, to));

describe('a reported status', () => {
  test.for(RISES)(
    'of a message that is %s: %s is applied and fires one event',
    async ([from, to], { service }) => {
      const { id, thread } = await newMessage(service, from);
      const reported = { status: to, externalId: 'SM1', errorCode: '30003', errorMessage: 'away' };
      await change(service, id, reported);
      expect(await messagesOf(service, thread.id)).toMatchObject([{ id, ...reported }]);
      const isAlreadyDelivered = from === 'delivered' && to === 'read';
      const data = { messageId: id, conversationId: thread.id, channel: 'email', status: to };
      expect(await service.events()).toEqual(
        isAlreadyDelivered
          ? []
          : [
              {
                name: ANNOUNCED[to],
                contactId: thread.contactId,
                data: { ...data, externalId: 'SM1', tags: ['vip'] },
              },
            ],
      );
      await change(service, id, reported);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test.for(REST)(
    'of a message that is %s: %s comes too late, changes nothing and fires nothing',
    async ([from, to], { service }) => {
      const { id, thread } = await newMessage(service, from);
      const before = await messagesOf(service, thread.id);
      await change(service, id, { status: to, errorCode: '1' });
      expect(await messagesOf(service, thread.id)).toEqual(before);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('pending stores the provider’s id, once and without an event', async ({ service }) => {
    const { id, thread } = await newMessage(service);
    await change(service, id, { status: 'pending', externalId: 'SM1' });
    await change(service, id, { status: 'pending', externalId: 'SM2' });
    expect(await messagesOf(service, thread.id)).toMatchObject([
      { status: 'pending', externalId: 'SM1' },
    ]);
    expect(await service.eventNames()).toEqual([]);
    await change(service, id, { status: 'sent' });
    expect((await service.events()).map(({ data }) => data.externalId)).toEqual(['SM1']);
  });

  test('without an id does not change the stored one', async ({ service }) => {
    const { id, thread } = await newMessage(service);
    await change(service, id, { status: 'sent', externalId: 'SM1' });
    await change(service, id, { status: 'delivered' });
    expect((await messagesOf(service, thread.id))[0].externalId).toBe('SM1');
    expect((await service.events()).map(({ data }) => data.externalId)).toEqual(['SM1', 'SM1']);
  });

  test('of an unknown message, or of one of another sub-account, does nothing', async ({
    service,
  }) => {
    const { id, thread } = await newMessage(service);
    const before = await messagesOf(service, thread.id);
    await change(service, crypto.randomUUID(), { status: 'sent' });
    await change({ ...service, subAccountId: service.otherSubAccountId }, id, { status: 'sent' });
    expect(await messagesOf(service, thread.id)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('five times concurrently applies once, twenty times', async ({ service }) => {
    const { thread } = await newMessage(service);
    for (let round = 0; round < 20; round += 1) {
      const { id } = (await post(service, thread.id, MAIL)).body.data;
      const changes = Array.from({ length: 5 }, () => change(service, id, { status: 'sent' }));
      await Promise.all(changes);
      expect(await service.eventNames()).toEqual(['message.sent']);
    }
  });
});
