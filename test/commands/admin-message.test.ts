import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { createClient, type Client as Sdk } from '../../sdk/src/main.ts';

let installation: Installation;
let database: Client;
let sub: string;
let sdk: Sdk;

beforeAll(async () => {
  installation = await startInstallation();
  const { admin, url } = installation;
  sub = (await admin('sub-account create --sandbox --name Test')).json.id;
  const { json } = await admin(`key create --name K --scopes all --sub-account ${sub}`);
  sdk = createClient({ baseUrl: url, apiKey: json.key, maxTries: 1 });
  database = new Client({ connectionString: installation.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await installation.close();
});

const MAIL = { channel: 'email', subject: 'Your visit', bodyText: 'See you' } as const;

/** Sends a mail to a new contact, which gets this status. */
async function messageThat(status: string, email: string) {
  const contact = { firstName: 'Ada', lastName: 'Lovelace', email };
  const { id: contactId } = await sdk.contacts.create(contact);
  const { id: conversationId } = await sdk.conversations.create({ contactId, channel: 'email' });
  const { id } = await sdk.conversations.send(conversationId, MAIL);
  await database.query('update messages set status = $2 where id = $1', [id, status]);
  return { id: id ?? '', conversationId, contactId };
}

const resend = (id: string) => installation.admin(`message resend ${id}`);

const firedNames = async () =>
  (await database.query('select name from events union all select name from outbox')).rows.map(
    ({ name }) => name,
  );

test('message resend queues a failed message again, once, with an audit entry and no event', async () => {
  const { id, conversationId } = await messageThat('failed', 'ada@example.com');
  const before = await firedNames();
  const { code, json } = await resend(id.toUpperCase());
  expect([code, json]).toMatchObject([0, { ...MAIL, conversationId, status: 'pending' }]);
  expect(json).toMatchObject({ toAddress: 'ada@example.com' });
  expect(json.id).not.toBe(id);
  expect(await firedNames()).toEqual(before);
  const { json: audit } = await installation.admin(`audit list --record ${json.id}`);
  expect(audit).toMatchObject([
    { operation: 'admin message resend', recordId: json.id, subAccountId: sub },
  ]);
  const again = await resend(id);
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toContain(`the message was sent again already, as ${json.id}`);
});

test('message resend prints the id of the new message', async () => {
  const { id } = await messageThat('bounced', 'grace@example.com');
  const ran = await frontdesk(['admin', 'message', 'resend', id], installation.variables);
  expect([ran.code, ran.stdout]).toEqual([
    0,
    expect.stringMatching(/^queued the message again, as [\da-f-]{36}\n$/),
  ]);
});

test('message resend refuses a message that did not fail, and an unknown one', async () => {
  const { id } = await messageThat('delivered', 'bob@example.com');
  const sent = await resend(id);
  expect([sent.code, sent.stderr]).toEqual([
    1,
    expect.stringContaining('the message is delivered; only a failed or bounced one is sent again'),
  ]);
  const unknown = crypto.randomUUID();
  const missing = await resend(unknown);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringContaining(
      `there is no message ${unknown}; frontdesk admin message list shows those that exist`,
    ),
  ]);
});

test('message resend skips a contact that opted out, and exits 1', async () => {
  const { id, conversationId, contactId } = await messageThat('failed', 'eve@example.com');
  await sdk.contacts.update(contactId, { dnd: { email: true } });
  const { code, json } = await resend(id);
  expect([code, json]).toEqual([
    1,
    { id: null, skipped: true, reason: 'dnd', conversationId, channel: 'email' },
  ]);
  const { data } = await sdk.conversations.messages(conversationId);
  expect(data.map((message) => message.id)).toEqual([id]);
});

test('message list --failed lists what failed within seven days and was not sent again, and why', async () => {
  await messageThat('bounced', 'bea@example.com');
  const { id } = await messageThat('failed', 'ida@example.com');
  const because = `update messages set error_code = '535', error_message = 'Invalid login' where id = $1`;
  await database.query(because, [id]);
  const { id: old } = await messageThat('failed', 'old@example.com');
  const before = '019a0000-0000-7000-8000-000000000000';
  await database.query('update messages set id = $2 where id = $1', [old, before]);
  await messageThat('sent', 'joe@example.com');
  const list = ['message', 'list', '--sub-account', sub, '--failed'];
  const { json } = await installation.admin(list.join(' '));
  expect(json[0]).toMatchObject({ id, errorCode: '535', errorMessage: 'Invalid login' });
  const statuses = new Set(json.map(({ status }: { status: string }) => status));
  expect(statuses).toEqual(new Set(['bounced', 'failed']));
  expect(json.map((message: { id: string }) => message.id)).not.toContain(before);
  const { stdout } = await frontdesk(['admin', ...list], installation.variables);
  expect(stdout).toMatch(/^id +createdAt +status +error +why/);
  await resend(id);
  const { json: left } = await installation.admin(list.join(' '));
  expect(left.map((message: { id: string }) => message.id)).not.toContain(id);
});
