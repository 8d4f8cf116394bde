import { describe } from 'vitest';
import type { Channel } from '../../../src/contacts/channels.ts';
import { senderAddress } from '../../../src/conversations/channels/channel.store.ts';
import { apply } from '../../support/manifest.ts';
import { expect, test, type TestService } from '../../support/service.ts';
import { ADA, inSandbox, MAIL, messagesOf, newThread, post } from '../conversations.support.ts';
import { answering, sink, startSending } from '../sending.support.ts';

describe('the sender of a channel', () => {
  test.for([
    ['smtp', 'email', { from: 'Harbour <hello@harbour.example>' }, 'hello@harbour.example'],
    ['smtp', 'email', { from: 'hello@harbour.example' }, 'hello@harbour.example'],
    ['gmail', 'gmail', { from: 'desk@harbour.example' }, 'desk@harbour.example'],
    ['twilio', 'sms', { from: '+4930123456' }, '+4930123456'],
    ['twilio', 'sms', { from: 'MG0123456789' }, null],
    ['meta', 'messenger', { pageId: '77' }, '77'],
    ['meta', 'instagram', { pageId: '77', instagramId: '88' }, '88'],
    ['meta', 'instagram', { pageId: '77' }, '77'],
    ['http', 'social_dm', { from: 'harbour' }, 'harbour'],
    ['http', 'email', { from: 'Harbour <hello@harbour.example>' }, 'hello@harbour.example'],
    ['http', 'social_dm', {}, null],
  ] as const)('by %s on %s with %j is %s', ([provider, channel, settings, address]) => {
    expect(senderAddress(channel, provider, settings)).toBe(address);
  });
});

const SMTP = {
  provider: 'smtp',
  host: 'smtp.example.com',
  from: 'Harbour <hello@harbour.example>',
};

async function setUp(service: TestService, channels: object): Promise<void> {
  await apply(service, { channels });
}

test('a message has the sender of its channel in the first response', async ({ service }) => {
  await setUp(service, { email: SMTP });
  const { id } = await newThread(service);
  const { body } = await post(service, id, MAIL);
  expect(body.data).toMatchObject({ fromAddress: 'hello@harbour.example', toAddress: ADA.email });
  expect(await messagesOf(service, id)).toMatchObject([{ fromAddress: 'hello@harbour.example' }]);
  const note = await post(service, id, { ...MAIL, isInternal: true });
  expect(note.body.data.fromAddress).toBeNull();
  expect(await service.eventNames()).toEqual([]);
});

test('a captured message of a sandbox has it, too, if the channel is configured', async ({
  service,
}) => {
  await inSandbox(service);
  await setUp(service, { email: SMTP });
  const { id } = await newThread(service);
  await post(service, id, MAIL);
  expect(await messagesOf(service, id)).toMatchObject([{ fromAddress: 'hello@harbour.example' }]);
});

test('the number of a messaging service is known after Twilio has chosen it', async () => {
  const sending = await startSending();
  const to = await sink();
  const sid = 'SM0123456789';
  answering(to, [JSON.stringify({ sid, status: 'sent', from: '+4930999' })]);
  const channel = { provider: 'twilio', accountSid: 'AC0', authToken: 'token', from: 'MG0' };
  await sending.setUp({ sms: { ...channel, apiBaseUrl: to.url } });
  const id = await sending.write('sms' satisfies Channel);
  const from = async () =>
    (
      await sending.database.rows<{ from: string | null }>(
        'select from_address as "from" from messages where id = $1',
        [id],
      )
    )[0]?.from;
  expect(await from()).toBeNull();
  await sending.startWorker();
  expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: sid });
  expect(await from()).toBe('+4930999');
  const [event] = await sending.fired();
  expect(event?.data).not.toHaveProperty('fromAddress');
});
