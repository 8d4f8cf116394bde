import { describe, expect, test, type TestService } from '../../support/service.ts';
import { messagesOf, newThread, post } from '../conversations.support.ts';
import { optOutsOf, setUpTwilio, twilioCalls } from '../providers/providers.support.ts';

describe('a status from Twilio', () => {
  /** A message that Twilio took as SM100. */
  async function underway(service: TestService): Promise<{ id: string; thread: string }> {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hello' })).body.data;
    const values = [id];
    await service.database.rows(`update messages set external_id = 'SM100' where id = $1`, values);
    return { id, thread };
  }

  const told = (service: TestService, status: string, more: Record<string, string> = {}, q = '') =>
    twilioCalls(service, 'status', { MessageSid: 'SM100', MessageStatus: status, ...more }, q);

  test('raises the message step by step, each with its event', async ({ service }) => {
    const { id, thread } = await underway(service);
    for (const status of ['queued', 'sending', 'sent', 'sent', 'delivered', 'sent', 'read']) {
      expect((await told(service, status)).status).toBe(200);
    }
    expect(await messagesOf(service, thread)).toMatchObject([{ id, status: 'read' }]);
    expect(await service.eventNames()).toEqual(['message.sent', 'message.delivered']);
  });

  test.for(['undelivered', 'failed', 'canceled'])(
    'that it is %s fails it',
    async (status, { service }) => {
      const { thread } = await underway(service);
      await told(service, status, { ErrorCode: '30003' });
      await told(service, 'delivered');
      expect(await messagesOf(service, thread)).toMatchObject([
        { status: 'failed', errorCode: '30003' },
      ]);
      expect(await service.eventNames()).toEqual(['message.failed']);
    },
  );

  test('that the phone opted out at its carrier suppresses the phone', async ({ service }) => {
    await underway(service);
    await told(service, 'failed', { ErrorCode: '21610' });
    expect(await optOutsOf(service)).toMatchObject([{ channel: 'sms', reason: 'stop' }]);
  });

  test('names the message that its address is about, once', async ({ service }) => {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hello' })).body.data;
    const query = `?messageId=${id}`;
    await told(service, 'queued', {}, query);
    const [message] = await messagesOf(service, thread);
    expect(message).toMatchObject({ status: 'pending', externalId: 'SM100' });
    await told(service, 'delivered', {}, query);
    await told(service, 'queued', { MessageSid: 'SM101' }, query);
    expect(await messagesOf(service, thread)).toMatchObject([
      { status: 'delivered', externalId: 'SM100' },
    ]);
    expect(await service.eventNames()).toEqual(['message.delivered']);
  });

  test.for([crypto.randomUUID(), 'nobody', '', '%00'])(
    'about the message %j, which is not there, is kept for its sid alone',
    async (id, { service }) => {
      await setUpTwilio(service);
      expect((await told(service, 'sent', {}, `?messageId=${id}`)).status).toBe(200);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('five times at once, with and without the name, fires once, twenty times', async ({
    service,
  }) => {
    await setUpTwilio(service);
    const { id: thread } = await newThread(service, 'sms');
    for (let round = 0; round < 20; round += 1) {
      const { id } = (await post(service, thread, { channel: 'sms', bodyText: 'Hi' })).body.data;
      const MessageSid = `SM2${round}`;
      const calls = Array.from({ length: 6 }, (_, n) =>
        told(service, 'sent', { MessageSid }, n % 2 === 0 ? `?messageId=${id}` : ''),
      );
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(await service.eventNames()).toEqual(['message.sent']);
    }
  });
});
