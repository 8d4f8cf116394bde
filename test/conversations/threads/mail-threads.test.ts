import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import {
  ADA,
  MAIL,
  messagesOf,
  newThread,
  opened,
  patched,
  post,
  setUpChannel,
  threadOf,
} from '../conversations.support.ts';
import { arrives, fromAda } from '../mailbox/mail.support.ts';

/** Creates a closed thread whose last mail is ours, and a later closed one; returns the mail's id. */
async function twoClosed(service: TestService) {
  await setUpChannel(service, 'email');
  const { id: answered, contactId } = await newThread(service);
  const { id: mailId } = (await post(service, answered, MAIL)).body.data;
  await patched(service, answered, { status: 'closed' });
  const { id: later } = await opened(service, { contactId, channel: 'email' });
  await post(service, later, MAIL);
  await patched(service, later, { status: 'closed' });
  await service.events();
  return { answered, later, contactId, mailId };
}

const states = async (service: TestService, ...ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await threadOf(service, id)).status));

describe('a reply', () => {
  for (const [by, headersFor] of [
    ['In-Reply-To', (id: string) => ({ 'In-Reply-To': `<${id}@harbour.example>` })],
    [
      'References',
      (id: string) => ({ References: `<x@y.example>\r\n <${id}@harbour.example> <z@y.example>` }),
    ],
    [
      'the address it was sent to',
      (id: string) => ({ To: `Desk <desk+${id.replaceAll('-', '')}@harbour.example>` }),
    ],
    ['Delivered-To', (id: string) => ({ 'Delivered-To': `d+${id.replaceAll('-', '')}@x.example` })],
  ] as const) {
    test(`reopens the thread of ${by} names`, async ({ service }) => {
      const { answered, later, contactId, mailId } = await twoClosed(service);
      await arrives(service, fromAda(headersFor(mailId)));
      expect(await states(service, answered, later)).toEqual(['open', 'closed']);
      expect((await threadOf(service, answered)).unreadCount).toBe(1);
      expect(await service.events()).toMatchObject([
        { name: 'message.received', contactId, data: { conversationId: answered } },
      ]);
    });
  }

  test('to an inbound message joins its thread', async ({ service }) => {
    const { answered, later, mailId } = await twoClosed(service);
    const first = { 'Message-ID': '<first@x>', 'In-Reply-To': `<${mailId}@harbour.example>` };
    await arrives(service, fromAda(first));
    await patched(service, answered, { status: 'closed' });
    await arrives(service, fromAda({ References: '<first@x>' }));
    expect(await states(service, answered, later)).toEqual(['open', 'closed']);
  });

  test('joins the open thread, whatever it refers to', async ({ service }) => {
    const { answered, later, mailId } = await twoClosed(service);
    await patched(service, later, { status: 'open' });
    await arrives(service, fromAda({ 'In-Reply-To': `<${mailId}@harbour.example>` }));
    expect(await states(service, answered, later)).toEqual(['closed', 'open']);
    expect((await messagesOf(service, later))[0].bodyText).toBe('Yes, Tuesday is fine');
  });

  test('that refers to none of our mails reopens the latest thread', async ({ service }) => {
    const { answered, later } = await twoClosed(service);
    const strange = {
      'In-Reply-To': '<no@x>',
      References: `<${crypto.randomUUID()}@harbour.example>`,
    };
    await arrives(service, fromAda(strange));
    expect(await states(service, answered, later)).toEqual(['closed', 'open']);
  });

  test('from another address of the contact belongs to the contact', async ({ service }) => {
    const contact = { ...ADA, additionalEmails: ['ada@work.example'] };
    await setUpChannel(service, 'email');
    const { id } = await newThread(service, 'email', contact);
    await arrives(service, fromAda({ From: 'ADA@work.example' }));
    expect((await threadOf(service, id)).unreadCount).toBe(1);
    expect(await service.eventNames()).toEqual(['message.received']);
  });

  test('from another contact gets a thread of its own and reveals nothing', async ({ service }) => {
    const { answered, later, contactId, mailId } = await twoClosed(service);
    const token = `desk+${mailId.replaceAll('-', '')}@harbour.example`;
    const names = { To: token, 'In-Reply-To': `<${mailId}@harbour.example>` };
    await arrives(service, fromAda({ From: 'Eve <eve@x.example>', ...names }));
    expect(await states(service, answered, later)).toEqual(['closed', 'closed']);
    const [made, received] = await service.events();
    expect([made?.name, received?.name]).toEqual(['contact.created', 'message.received']);
    expect(received?.contactId).toBe(made?.contactId);
    expect(received?.contactId).not.toBe(contactId);
    expect([answered, later]).not.toContain(received?.data.conversationId);
  });

  test('from the recipient of a forwarded mail belongs to that contact', async ({ service }) => {
    const { answered, mailId } = await twoClosed(service);
    const other = await newContact(service, { firstName: 'Eve', email: 'eve@x.example' });
    await service.events();
    const names = { From: 'eve@x.example', 'In-Reply-To': `<${mailId}@harbour.example>` };
    await arrives(service, fromAda(names));
    expect(await service.events()).toMatchObject([{ name: 'message.received', contactId: other }]);
    expect(await states(service, answered)).toEqual(['closed']);
  });

  test('that arrives twice is stored once', async ({ service }) => {
    const { answered, mailId } = await twoClosed(service);
    const mail = fromAda({ 'In-Reply-To': `<${mailId}@harbour.example>` });
    const id = await arrives(service, mail);
    expect(await arrives(service, mail)).toBe(id);
    expect((await threadOf(service, answered)).unreadCount).toBe(1);
    expect(await service.eventNames()).toEqual(['message.received']);
  });

  test('without a Message-ID is stored once, too', async ({ service }) => {
    await setUpChannel(service, 'email');
    const { id: thread } = await newThread(service);
    const mail = fromAda().replace(/Message-ID:.*\r\n/, '');
    const id = await arrives(service, mail);
    expect(await arrives(service, mail)).toBe(id);
    expect((await threadOf(service, thread)).unreadCount).toBe(1);
    expect(await service.eventNames()).toEqual(['message.received']);
  });
});
