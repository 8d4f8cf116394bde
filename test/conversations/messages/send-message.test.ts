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
  suppress,
  setUpChannel,
} from '../conversations.support.ts';

describe('the job of a message', () => {
  test('in a sandbox marks it as sent and then as delivered, with one event each', async ({
    service,
  }) => {
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

  test('without HTML or an address of its own may have null instead', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    const sent = await post(service, id, { ...MAIL, bodyHtml: null, toAddress: null });
    expect(sent.body.data).toMatchObject({ bodyHtml: null, toAddress: ADA.email });
    const unnamed = await post(service, id, { ...MAIL, subject: null });
    expect([unnamed.status, unnamed.body.error?.details.issues[0].path]).toEqual([400, '/subject']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('changes nothing and fires nothing if it is repeated', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await Promise.all([carried(service, messageId), carried(service, messageId)]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
    await carried(service, messageId);
    expect(await service.eventNames()).toEqual([]);
  });

  test('continues after a crash', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    const { id: messageId } = (await post(service, id, MAIL)).body.data;
    await service.database.rows(
      `update messages set status = 'sent', external_id = $2 where id = $1`,
      [messageId, `sandbox-${messageId}`],
    );
    await carried(service, messageId);
    expect((await messagesOf(service, id))[0].status).toBe('delivered');
    expect(await service.eventNames()).toEqual(['message.delivered']);
  });

  test('in a live chat marks it as sent, without a provider’s id', async ({ service }) => {
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

  test('fails it with a reason if its provider was removed', async ({ service }) => {
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
    ['the phone opted out', 'sms', (service: TestService) => suppress(service, 'sms', ADA.phone)],
    [
      'the address opted out',
      'gmail',
      (service: TestService) => suppress(service, 'email', ADA.email),
    ],
    ['the contact is suppressed', 'messenger', undefined],
  ] as const)(
    'does not send it if its contact opted out meanwhile: %s',
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

  test('does not send it if its contact was deleted meanwhile', async ({ service }) => {
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

  test('sends it even if its contact was merged meanwhile', async ({ service }) => {
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

  test('does nothing if its provider accepted it and was removed later', async ({ service }) => {
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

  test('does nothing if its contact opted out after it was sent', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, 'sms');
    const body = { channel: 'sms', bodyText: 'Hello' };
    const { id: messageId } = (await post(service, id, body)).body.data;
    await carried(service, messageId);
    await suppress(service, 'sms', ADA.phone);
    await carried(service, messageId);
    expect(await messagesOf(service, id)).toMatchObject([{ status: 'delivered' }]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
  });

  test('does nothing for an unknown message', async ({ service }) => {
    await inSandbox(service);
    await carried(service, crypto.randomUUID());
    expect(await service.eventNames()).toEqual([]);
  });
});
