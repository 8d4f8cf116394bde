import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import {
  ADA,
  carried,
  inSandbox,
  MAIL,
  messagesOf,
  newThread,
  post,
  setUpChannel,
} from '../conversations.support.ts';

const stopped = (
  { transact, subAccountId, actor }: TestService,
  channel: 'email' | 'sms',
  address: string,
) =>
  transact(subAccountId, actor, (work) =>
    suppressAddress(work, { channel, address, reason: 'stop' }),
  );

describe('the job of a message', () => {
  test('in a sandbox: sent and then delivered, with an event each', async ({ service }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await carried(service, messageId);

    const externalId = `sandbox-${messageId}`;
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'delivered', externalId }]);
    const data = { messageId, conversationId: id, channel: 'email', externalId };
    expect(await service.events()).toEqual([
      { name: 'message.sent', contactId, data: { ...data, status: 'sent' } },
      { name: 'message.delivered', contactId, data: { ...data, status: 'delivered' } },
    ]);
  });

  test('done again changes and fires nothing', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await Promise.all([carried(service, messageId), carried(service, messageId)]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
    await carried(service, messageId);
    expect(await service.eventNames()).toEqual([]);
  });

  test('that died in between goes on where it was', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await service.database.rows(
      `update messages set status = 'sent', external_id = 'sandbox-' || id where id = $1`,
      [messageId],
    );
    await carried(service, messageId);
    expect((await messagesOf(service, id))[0].status).toBe('delivered');
    expect(await service.eventNames()).toEqual(['message.delivered']);
  });

  test('in a live chat: sent, and no provider gave it an id', async ({ service }) => {
    const { id } = await newThread(service, 'live_chat');
    const body = { channel: 'live_chat', bodyText: 'Hello' };
    const { id: messageId } = (await post(service, id, body)).body.data;
    await carried(service, messageId);
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'sent', externalId: null }]);
    expect(await service.events()).toMatchObject([
      { name: 'message.sent', data: { messageId, channel: 'live_chat', externalId: null } },
    ]);
  });

  test('whose provider was taken away: failed, and says so', async ({ service }) => {
    await setUpChannel(service, 'email');
    const { id } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await service.database.rows('delete from channels where sub_account_id = $1', [
      service.subAccountId,
    ]);
    await service.noticed();
    await carried(service, messageId);
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([
      { status: 'failed', errorCode: 'channel_not_configured' },
    ]);
    expect(await service.events()).toMatchObject([
      { name: 'message.failed', data: { messageId, status: 'failed', externalId: null } },
    ]);
  });

  test.for([
    ['the phone is closed', 'sms', (service: TestService) => stopped(service, 'sms', ADA.phone)],
    [
      'the address is closed',
      'gmail',
      (service: TestService) => stopped(service, 'email', ADA.email),
    ],
    ['the contact said so', 'messenger', undefined],
  ] as const)(
    'whose contact opted out while it waited is not sent: %s',
    async ([, channel, stop], { service }) => {
      await inSandbox(service);
      const { id, contactId } = await newThread(service, channel);
      const { id: messageId } = (await post(service, id, { ...MAIL, channel })).body.data;
      const path = `PATCH /api/v1/contacts/${contactId}`;
      await (stop?.(service) ?? service.call(path, { body: { dnd: { messenger: true } } }));
      await service.events();
      await carried(service, messageId);
      await carried(service, messageId);
      expect(await messagesOf(service, id)).toMatchObject([{ status: 'failed', errorCode: 'dnd' }]);
      expect(await service.eventNames()).toEqual(['message.failed']);
    },
  );

  test('whose contact was deleted while it waited is not sent', async ({ service }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    await service.events();
    await carried(service, messageId);
    await carried(service, messageId);
    const [message] = await service.database.rows(
      'select status, error_code as "errorCode" from messages where id = $1',
      [messageId],
    );
    expect(message).toEqual({ status: 'failed', errorCode: 'contact_deleted' });
    expect(await service.eventNames()).toEqual(['message.failed']);
  });

  test('whose contact became part of another while it waited is sent all the same', async ({
    service,
  }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    const kept = await newContact(service);
    await service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId } });
    await service.events();
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'delivered' }]);
    expect(await service.events()).toMatchObject([
      { name: 'message.sent', contactId: kept },
      { name: 'message.delivered', contactId: kept },
    ]);
  });

  test('that was accepted before its provider was removed waits for its status', async ({
    service,
  }) => {
    await setUpChannel(service, 'sms');
    const { id } = await newThread(service, 'sms');
    const body = { channel: 'sms', bodyText: 'Hello' };
    const { id: messageId } = (await post(service, id, body)).body.data;
    await service.database.rows(`update messages set external_id = 'SM1' where id = $1`, [
      messageId,
    ]);
    await service.database.rows('delete from channels where sub_account_id = $1', [
      service.subAccountId,
    ]);
    await service.noticed();
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'pending', errorCode: null }]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('that went out before its contact opted out goes on', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, 'sms');
    const body = { channel: 'sms', bodyText: 'Hello' };
    const { id: messageId } = (await post(service, id, body)).body.data;
    await carried(service, messageId);
    await stopped(service, 'sms', ADA.phone);
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'delivered' }]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
  });

  test('of a message that is gone does nothing', async ({ service }) => {
    await inSandbox(service);
    await carried(service, crypto.randomUUID());
    expect(await service.eventNames()).toEqual([]);
  });
});
