import { traces } from '../../support/samples.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import {
  ADA,
  inSandbox,
  MAIL,
  messagesOf,
  newThread,
  post,
  queued,
  suppress,
  threadOf,
} from '../conversations.support.ts';

async function expectSkipped(service: TestService, id: string, body: any): Promise<void> {
  const before = [await threadOf(service, id), await traces(service)];
  const answer = await post(service, id, body);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      data: {
        id: null,
        skipped: true,
        reason: 'dnd',
        conversationId: id,
        channel: body.channel,
      },
    },
  ]);
  expect([await threadOf(service, id), await traces(service)]).toEqual(before);
  expect([await messagesOf(service, id), await queued(service)]).toEqual([[], []]);
  expect(await service.eventNames()).toEqual([]);
}

describe('a message to a suppressed contact is skipped without a trace', () => {
  test.for([
    ['all channels', 'messenger', { all: true }],
    ['the channel', 'sms', { sms: true }],
    ['the channel only', 'gmail', { gmail: true, email: false }],
  ] as const)('on %s', async ([, channel, dnd], { service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, channel, { ...ADA, dnd });
    await expectSkipped(service, id, { ...MAIL, channel });
  });

  test.for([
    ['email', 'email', ADA.email.toUpperCase()],
    ['gmail', 'email', ADA.email],
    ['sms', 'sms', ADA.phone],
  ] as const)(
    'by %s if the address opted out of %s',
    async ([channel, closed, address], { service }) => {
      await inSandbox(service);
      const { id } = await newThread(service, channel);
      await suppress(service, closed, address);
      await expectSkipped(service, id, { ...MAIL, channel });
    },
  );

  test('if another address of the contact is suppressed, which sets dnd', async ({ service }) => {
    await inSandbox(service);
    const contact = { ...ADA, additionalEmails: ['old@example.com'] };
    const { id, contactId } = await newThread(service, 'email', contact);
    await suppress(service, 'email', 'old@example.com');
    const shown = await service.call(`GET /api/v1/contacts/${contactId}`);
    expect(shown.body.data.dnd).toEqual({ email: true });
    await expectSkipped(service, id, MAIL);
  });

  test('if the given address is suppressed, whichever contact has it', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service);
    await suppress(service, 'email', 'bob@example.com');
    await expectSkipped(service, id, { ...MAIL, toAddress: 'Bob@Example.com' });
  });

  test('even without a provider and an address', async ({ service }) => {
    const { id } = await newThread(service, 'email', { dnd: { email: true } });
    await expectSkipped(service, id, MAIL);
  });

  test('but an invalid request is refused first', async ({ service }) => {
    const { id } = await newThread(service, 'email', { ...ADA, dnd: { all: true } });
    expect((await post(service, id, { ...MAIL, subject: undefined })).status).toBe(400);
  });
});

describe('a message is sent', () => {
  test.for([
    ['if only other channels are suppressed', 'sms', { email: true, gmail: true }],
    ['if the channel is explicitly allowed', 'email', { all: false, email: false }],
  ] as const)('%s', async ([, channel, dnd], { service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, channel, { ...ADA, dnd });
    expect((await post(service, id, { ...MAIL, channel })).status).toBe(201);
  });

  test('by sms if the email address or another phone opted out', async ({ service }) => {
    await inSandbox(service);
    const { id } = await newThread(service, 'sms');
    await suppress(service, 'email', ADA.email);
    await suppress(service, 'sms', '+4930777777');
    expect((await post(service, id, { channel: 'sms', bodyText: 'Hi' })).status).toBe(201);
  });

  test('if the address opted out in another sub-account', async ({ service }) => {
    await inSandbox(service);
    await suppress({ ...service, subAccountId: service.otherSubAccountId }, 'email', ADA.email);
    const { id } = await newThread(service);
    expect((await post(service, id, MAIL)).status).toBe(201);
  });
});
