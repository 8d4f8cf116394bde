import { describe, expect, test, type TestService } from '../../support/service.ts';
import { messagesOf, newThread, post } from '../conversations.support.ts';
import { optOutsOf, setUpTwilio, twilioCalls } from '../providers/providers.support.ts';

describe('a status from Twilio', () => {
  /** A message that Twilio accepted as SM100. */
  async function underway(service: TestService): Promise<{ id: string; thread: string }> {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hello' })).body.data;
    const values = [id];
    await service.database.rows(`update messages set external_id = 'SM100' where id = $1`, values);
    return { id, thread };
  }

  const report = (
    service: TestService,
    status: string,
    more: Record<string, string> = {},
    q = '',
  ) => twilioCalls(service, 'status', { MessageSid: 'SM100', MessageStatus: status, ...more }, q);

  test('changes the message step by step, with an event for each', async ({ service }) => {
    const { id, thread } = await underway(service);
    for (const status of ['queued', 'sending', 'sent', 'sent', 'delivered', 'sent', 'read']) {
      expect((await report(service, status)).status).toBe(200);
    }
    expect(await messagesOf(service, thread)).toMatchObject([{ id, status: 'read' }]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
  });

  test.for(['undelivered', 'failed', 'canceled'])(
    '%s marks the message as failed',
    async (status, { service }) => {
      const { thread } = await underway(service);
      await report(service, status, { ErrorCode: '30003' });
      await report(service, 'delivered');
      expect(await messagesOf(service, thread)).toMatchObject([
        { status: 'failed', errorCode: '30003' },
      ]);
      expect(await service.eventNames()).toEqual(['message.failed']);
    },
  );

  test('about an opt-out at the carrier suppresses the phone', async ({ service }) => {
    await underway(service);
    await report(service, 'failed', { ErrorCode: '21610' });
    expect(await optOutsOf(service)).toMatchObject([{ channel: 'sms', reason: 'stop' }]);
  });

  test('gives the message in its URL the SID, once', async ({ service }) => {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hello' })).body.data;
    const query = `?messageId=${id}`;
    await report(service, 'queued', {}, query);
    const [message] = await messagesOf(service, thread);
    expect(message).toMatchObject({ status: 'pending', externalId: 'SM100' });
    await report(service, 'delivered', {}, query);
    await report(service, 'queued', { MessageSid: 'SM101' }, query);
    expect(await messagesOf(service, thread)).toMatchObject([
      { status: 'delivered', externalId: 'SM100' },
    ]);
    expect(await service.eventNames()).toEqual(['message.delivered']);
  });

  test.for([crypto.randomUUID(), 'no-one', '', '%00'])(
    'with the unknown messageId %j is stored for its SID only',
    async (id, { service }) => {
      await setUpTwilio(service);
      expect((await report(service, 'sent', {}, `?messageId=${id}`)).status).toBe(200);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('five times concurrently, with and without messageId, fires one event, twenty times', async ({
    service,
  }) => {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    for (let round = 0; round < 20; round += 1) {
      const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hi' })).body.data;
      const MessageSid = `SM2${round}`;
      const calls = Array.from({ length: 6 }, (_, n) =>
        report(service, 'sent', { MessageSid }, n % 2 === 0 ? `?messageId=${id}` : ''),
      );
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(await service.eventNames()).toEqual(['message.sent']);
    }
  });
});
