import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, type Client, type Message } from '../../sdk/src/main.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { PNG } from '../files/files.support.ts';
import { frontdesk } from '../support/frontdesk.ts';

const WAIT = { timeout: 60_000, interval: 100 };

let installation: Installation;
let sandbox: string;
let apiKey: string;
let client: Client;

beforeAll(async () => {
  installation = await startInstallation();
  const { admin } = installation;
  sandbox = (await admin('sub-account create --sandbox --name Test')).json.id;
  const { json } = await admin(`key create --name K --scopes all --sub-account ${sandbox}`);
  apiKey = json.key;
  client = createClient({ baseUrl: installation.url, apiKey, maxTries: 1 });
});
afterAll(() => installation.close());

const outbox = async (subAccount: string, ...more: string[]) => {
  const { code, json, stderr } = await installation.admin(
    `outbox list --sub-account ${subAccount}`,
    ...more,
  );
  return { code, json, stderr };
};

const events = async () => (await client.events.list()).data.map(({ event }) => event);

test('outbox list shows captured messages, newest first, once a worker has run', async () => {
  const { contacts, conversations } = client;
  const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const { id: contactId } = await contacts.create({ ...ada, phone: '+4930123456' });
  const { id: mail } = await conversations.create({ contactId, channel: 'email' });
  const { id: sms } = await conversations.create({ contactId, channel: 'sms' });
  const sent = (await conversations.send(mail, {
    channel: 'email',
    subject: 'Your visit',
    bodyText: 'Dear {{firstName}}',
    bodyHtml: '<p>Dear {{firstName}}</p>',
  })) as Message;
  const channel = 'sms';
  const text = (await conversations.send(sms, { channel, bodyText: 'See you' })) as Message;
  await conversations.send(sms, { channel, bodyText: 'A note', isInternal: true });
  const waiting = await outbox(sandbox);
  expect(waiting.json.map(({ status }: any) => status)).toEqual(['pending', 'pending']);

  await installation.startWorker();
  await vi.waitFor(async () => {
    expect((await events()).filter((name) => name === 'message.delivered')).toHaveLength(2);
  }, WAIT);
  expect(await outbox(sandbox)).toEqual({
    code: 0,
    stderr: '',
    json: [
      {
        id: text.id,
        conversationId: sms,
        channel: 'sms',
        fromAddress: null,
        toAddress: '+4930123456',
        subject: null,
        bodyText: 'See you',
        bodyHtml: null,
        status: 'delivered',
        attachment: null,
        attachments: [],
        createdAt: text.createdAt,
      },
      {
        id: sent.id,
        conversationId: mail,
        channel: 'email',
        fromAddress: null,
        toAddress: 'ada@example.com',
        subject: 'Your visit',
        bodyText: 'Dear Ada',
        bodyHtml: '<p>Dear Ada</p>',
        status: 'delivered',
        attachment: null,
        attachments: [],
        createdAt: sent.createdAt,
      },
    ],
  });
  expect((await events()).sort()).toEqual([
    'contact.created',
    'message.delivered',
    'message.delivered',
    'message.sent',
    'message.sent',
  ]);
  expect((await outbox(sandbox, '--limit', '1')).json).toHaveLength(1);
});

test('outbox show has the headers, text and HTML of a message, and a page for browsers', async () => {
  const { json: listed } = await outbox(sandbox);
  const [sms, mail] = listed;
  const { json } = await installation.admin(`outbox show ${mail.id} --sub-account ${sandbox}`);
  expect(json).toEqual({
    ...mail,
    headers: {
      To: 'ada@example.com',
      Subject: 'Your visit',
      Date: expect.stringMatching(/ \+0000$/),
      'Message-ID': `<${mail.id}@localhost>`,
    },
    previewUrl: expect.stringMatching(/^http:\/\/localhost:8080\/outbox\/[\w-]+$/),
  });
  const page = async (previewUrl: string) =>
    fetch(new URL(new URL(previewUrl).pathname, installation.url));
  expect(await (await page(json.previewUrl)).text()).toBe('<p>Dear Ada</p>');

  const text = await installation.admin(`outbox show ${sms.id}`);
  expect(text.json).toMatchObject({ ...sms, headers: {} });
  expect(await (await page(text.json.previewUrl)).text()).toContain('>See you</pre>');
});

test('the outbox shows the files of a mail', async () => {
  const [{ id: contactId } = { id: '' }] = (await client.contacts.list()).data;
  const { id: mail } = await client.conversations.create({ contactId, channel: 'email' });
  const uploaded = await fetch(`${installation.url}/api/v1/files?name=x-ray.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'image/png' },
    body: PNG,
  });
  const { data: file } = (await uploaded.json()) as { data: { id: string } };
  const { id } = (await client.conversations.send(mail, {
    channel: 'email',
    subject: 'Your x-ray',
    bodyText: 'As promised',
    attachmentIds: [file.id],
  })) as Message;
  const { json } = await installation.admin(`outbox show ${id}`);
  expect(json.attachments).toMatchObject([
    { id: file.id, name: 'x-ray.png', type: 'image/png', size: PNG.length },
  ]);
  const { stdout } = await frontdesk(['admin', 'outbox', 'show', id], installation.variables);
  expect(stdout).toContain(`Attachment: x-ray.png (image/png, ${PNG.length} bytes)`);
});

test('outbox show exits 1 for messages that were not captured', async () => {
  const { admin, subAccountId } = installation;
  const [mail] = (await outbox(sandbox)).json;
  for (const given of [crypto.randomUUID(), 'x', `${mail.id} --sub-account ${subAccountId}`]) {
    const { code, stderr } = await admin(`outbox show ${given}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('captured message')]);
  }
});

test('outbox list of a live sub-account is empty', async () => {
  expect(await outbox(installation.subAccountId)).toEqual({ code: 0, stderr: '', json: [] });
});

test('outbox list exits 2 without a sub-account, and 1 for an unknown one', async () => {
  expect((await installation.admin('outbox list')).code).toBe(2);
  expect((await outbox(crypto.randomUUID())).code).toBe(1);
  expect((await outbox(sandbox, '--limit', '0')).code).toBe(2);
});

test('the page of a captured message is gone once the sub-account is closed', async () => {
  const { admin, url } = installation;
  const [mail] = (await outbox(sandbox)).json;
  const { previewUrl } = (await admin(`outbox show ${mail.id}`)).json;
  const status = async () => (await fetch(new URL(new URL(previewUrl).pathname, url))).status;
  expect(await status()).toBe(200);
  await admin(`sub-account delete ${sandbox} --yes`);
  await vi.waitFor(async () => expect(await status()).toBe(404), WAIT);
});
