import { apply } from '../support/manifest.ts';
import { brought, setUpBridge, words } from '../conversations/inbound/callbacks.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { newContact } from '../tasks/tasks.support.ts';
import { began, chatsOf, said, seen, setUpChat } from './chat.support.ts';

const EMAIL = 'grace@example.com';

async function newChat(service: TestService) {
  await setUpChat(service);
  const sessionId = await began(service);
  const [{ id }] = await chatsOf(service);
  return { sessionId, id };
}

const ask = (service: TestService, contactId: string) =>
  service.call(`GET /api/v1/booking/estimates?contactId=${contactId}`);

const conversation = async (service: TestService, id: string) =>
  (await service.call(`GET /api/v1/conversations/${id}`)).body.data;

/** A response without the parts that differ between any two requests. */
const bytesOf = ({ status, body }: { readonly status: number; readonly body: unknown }) =>
  JSON.stringify({ status, body }).replaceAll(/"requestId":"[^"]*"/g, '');

describe('a visitor of the widget who typed the email of a customer', () => {
  test('has a conversation with visitorVerified false, also in the list and after replies', async ({
    service,
  }) => {
    await newContact(service, { email: EMAIL });
    const { sessionId, id } = await newChat(service);
    await said(service, sessionId, 'Hello');
    expect(await conversation(service, id)).toMatchObject({ visitorVerified: false });
    await service.call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'live_chat', bodyText: 'Hello Grace' },
    });
    const { body } = await service.call('GET /api/v1/conversations');
    expect(body.data).toMatchObject([{ id, visitorVerified: false }]);
  });

  test('gets no estimates: the refusal equals that for a contact without a conversation', async ({
    service,
  }) => {
    const contactId = await newContact(service, { email: EMAIL });
    const other = await newContact(service, { email: 'other@example.com' });
    await apply(service, {
      estimates: [
        {
          key: 'e1',
          number: 'Q-1',
          contactEmail: EMAIL,
          status: 'sent',
          total: 450,
          currency: 'EUR',
        },
      ],
    });
    const before = await ask(service, contactId);
    const { sessionId } = await newChat(service);
    await said(service, sessionId, 'What about my quote?');
    const [chat] = await chatsOf(service);
    expect(chat.contactId).toBe(contactId);

    const refused = await ask(service, contactId);
    expect(refused.status).toBe(404);
    expect(bytesOf(refused)).toBe(bytesOf(before));
    expect(bytesOf(refused)).toBe(bytesOf(await ask(service, other)));
  });
});

describe('merge fields in a chat of the widget', () => {
  const reply = async (service: TestService, bodyText: string) => {
    const { sessionId, id } = await newChat(service);
    const { body } = await service.call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'live_chat', bodyText },
    });
    expect(await seen(service, sessionId)).toMatchObject([{ bodyText: body.data.bodyText }]);
    return body.data.bodyText;
  };

  test('tell the visitor nothing about the customer whose email they typed', async ({
    service,
  }) => {
    const customer = {
      firstName: 'Rear Admiral',
      lastName: 'Hopper',
      email: EMAIL,
      phone: '+442079460018',
      company: 'Navy',
    };
    await newContact(service, customer);
    const text = '{{phone}}|{{company|none}}|{{firstName}}|{{fullName}}|{{email}}';
    expect(await reply(service, text)).toBe(`|none|Grace|Grace Hopper|${EMAIL}`);
  });
});

describe('visitorVerified', () => {
  test('is null on other channels, also in the event', async ({ service }) => {
    await setUpBridge(service, 'sms');
    await brought(service, 'sms', words({ bodyText: 'Hello' }));
    const { body } = await service.call('GET /api/v1/conversations');
    expect(body.data).toMatchObject([{ channel: 'sms', visitorVerified: null }]);
    const received = (await service.events()).find(({ name }) => name === 'message.received');
    expect(received?.data).toMatchObject({ visitorVerified: null });
  });

  test('is true in a live chat of a bridge', async ({ service }) => {
    await setUpBridge(service, 'live_chat');
    await brought(service, 'live_chat', words({ bodyText: 'Hello' }));
    const { body } = await service.call('GET /api/v1/conversations');
    expect(body.data).toMatchObject([{ channel: 'live_chat', visitorVerified: true }]);
    const received = (await service.events()).find(({ name }) => name === 'message.received');
    expect(received?.data).toMatchObject({ visitorVerified: true });
  });
});
