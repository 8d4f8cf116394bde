import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Client } from '../../sdk/src/main.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const HOURS = '["00:00-24:00"]';
const MANIFEST = `
team: [{key: anna, name: Anna Weber, email: anna@harbour.example}]
calendars:
  - key: checkup
    name: Check-ups
    type: personal
    timezone: UTC
    members: [anna]
    hours: {mon: ${HOURS}, tue: ${HOURS}, wed: ${HOURS}, thu: ${HOURS}, fri: ${HOURS}, sat: ${HOURS}, sun: ${HOURS}}
    types: [{key: checkup-30, name: Check-up, slug: check-up, duration: 30}]
lists: [{key: clients, name: Clients}]
templates:
  - {key: newsletter, name: Newsletter, html: "<p>{{content}}</p>", defaultList: clients}
  - {key: bare, name: Bare, html: "{{content}}"}
`;

let installation: Installation;
let sub: string;
let other: string;
let client: Client;

beforeAll(async () => {
  installation = await startInstallation();
  const { admin } = installation;
  sub = (await admin('sub-account create --sandbox --name Test')).json.id;
  other = (await admin('sub-account create --sandbox --name Other')).json.id;
  const { json } = await admin(`key create --name K --scopes all --sub-account ${sub}`);
  client = createClient({ baseUrl: installation.url, apiKey: json.key, maxTries: 1 });
  const file = join(await mkdtemp(join(tmpdir(), 'frontdesk-')), 'm.yaml');
  await writeFile(file, MANIFEST);
  await listed(`apply -f ${file}`);
});
afterAll(() => installation.close());

const ids = (json: any) => json.map(({ id }: any) => id);

/** Runs a list in a sub-account and returns its JSON. */
async function listed(line: string, ...more: string[]) {
  const { code, json, stderr } = await installation.admin(`${line} --sub-account ${sub}`, ...more);
  if (code !== 0) {
    throw new Error(stderr);
  }
  return json;
}

test('contact list and show return contacts like the API', async () => {
  const ada = await client.contacts.create({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  });
  const bob = await client.contacts.create({ firstName: 'Bob', lastName: 'Ross' });
  const all = await listed('contact list');
  expect(ids(all)).toEqual([bob.id, ada.id]);
  expect(all[1]).toEqual(await client.contacts.get(ada.id));
  expect(ids(await listed('contact list --limit 1'))).toEqual([bob.id]);
  expect(ids(await listed('contact list --search lovel'))).toEqual([ada.id]);
  expect(ids(await listed('contact list --email ADA@example.com'))).toEqual([ada.id]);
  expect((await installation.admin(`contact show ${ada.id}`)).json).toEqual(all[1]);
  expect(await listed(`contact show ${ada.id.toUpperCase()}`)).toEqual(all[1]);
});

test('appointment list filters by start and status', async () => {
  const { admin } = installation;
  const startIn = (days: number) =>
    new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * 86_400_000).toISOString();
  const book = async (days: number) => {
    const customer = '--email jo@example.com --first-name Jo --last-name Doe';
    const line = `appointment book --sub-account ${sub} --type checkup-30 --start ${startIn(days)}`;
    const { json, stderr } = await admin(`${line} ${customer}`);
    expect(stderr).toBe('');
    return json.id as string;
  };
  const [first, second] = [await book(2), await book(4)];
  const all = await listed('appointment list');
  expect(ids(all)).toEqual([second, first]);
  expect(all[0]).toMatchObject({ contact: { email: 'jo@example.com' }, title: expect.any(String) });
  expect(ids(await listed(`appointment list --from ${startIn(3)}`))).toEqual([second]);
  expect(ids(await listed(`appointment list --to ${startIn(3)}`))).toEqual([first]);
  expect(await listed('appointment list --status cancelled')).toEqual([]);
  const [{ id: contactId }] = await listed('contact list --email jo@example.com');
  expect(ids(await listed(`appointment list --contact ${contactId}`))).toEqual([second, first]);
  const other = await client.contacts.create({ firstName: 'Eva', lastName: 'Hesse' });
  expect(await listed(`appointment list --contact ${other.id}`)).toEqual([]);
  expect(await listed(`message list --contact ${other.id}`)).toEqual([]);
  const unknown = await admin(
    `appointment book --sub-account ${sub} --type nope --start ${startIn(2)} --email jo@example.com --first-name Jo --last-name Doe`,
  );
  expect(unknown.stderr).toContain('no appointment type nope; the sub-account has checkup-30');
});

test('conversation show and message list show what was said', async () => {
  const { id: contactId } = await client.contacts.create({
    firstName: 'Cy',
    lastName: 'Twombly',
    email: 'cy@example.com',
  });
  const { id: mail } = await client.conversations.create({ contactId, channel: 'email' });
  const long = 'x'.repeat(2_000);
  await client.conversations.send(mail, { channel: 'email', subject: 'One', bodyText: long });
  const { id: sms } = await client.conversations.create({ contactId, channel: 'sms' });
  await client.conversations.send(sms, { channel: 'sms', bodyText: 'Note', isInternal: true });
  const { json } = await installation.admin(`conversation show ${mail}`);
  expect(json).toMatchObject({ id: mail, channel: 'email', contact: { email: 'cy@example.com' } });
  const all = await listed('message list');
  expect(all.map(({ conversationId }: any) => conversationId)).toEqual([sms, mail]);
  expect(all[0]).toMatchObject({ channel: 'sms', isInternal: true, bodyText: 'Note' });
  expect(all[1]).toMatchObject({ subject: 'One', direction: 'outbound', errorCode: null });
  expect(all[1].bodyText).toBe('x'.repeat(1_000));
  expect(await listed(`message list --conversation ${mail}`)).toEqual([all[1]]);
  expect(await listed(`message list --contact ${contactId}`)).toEqual(all);
});

test('columns that a terminal of 80 characters shows come first', async () => {
  const headOf = async (line: string) => {
    const command = ['admin', ...line.split(' '), '--sub-account', sub];
    const { stdout } = await frontdesk(command, installation.variables);
    return stdout.split('\n').slice(0, 2);
  };
  const [booked, row = ''] = await headOf('appointment list');
  expect(booked?.split(/ +/)).toEqual([
    'id',
    'startTime',
    'status',
    'contact',
    'title',
    'createdAt',
  ]);
  expect(row).toContain('Jo Doe');
  const [messages] = await headOf('message list');
  expect(messages?.split(/ +/).slice(0, 4)).toEqual(['id', 'createdAt', 'status', 'text']);
  const [captured] = await headOf('outbox list');
  expect(captured?.split(/ +/)).toEqual([
    'id',
    'createdAt',
    'to',
    'text',
    'channel',
    'status',
    'attachments',
  ]);
});

test('template list returns the templates by key', async () => {
  expect(await listed('template list')).toEqual([
    expect.objectContaining({ key: 'bare', name: 'Bare', defaultList: null, htmlBytes: 11 }),
    expect.objectContaining({ key: 'newsletter', defaultList: 'clients', htmlBytes: 18 }),
  ]);
});

describe('a look-up exits 1 and names', () => {
  test.for([
    ['contact list --sub-account nope', 'there is no sub-account nope'],
    [`contact show ${UNKNOWN}`, `there is no contact ${UNKNOWN}`],
    ['contact show nope', 'there is no contact nope'],
    [`conversation show ${UNKNOWN}`, `there is no conversation ${UNKNOWN}`],
    ['template list --sub-account nope', 'there is no sub-account nope'],
  ] as const)('%s', async ([line, message]) => {
    const { code, stdout, stderr } = await installation.admin(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a record of another sub-account', async () => {
    const { id } = await client.contacts.create({ firstName: 'Di', lastName: 'Sub' });
    const { id: thread } = await client.conversations.create({ contactId: id, channel: 'email' });
    for (const [line, noun] of [
      [`contact show ${id}`, 'contact'],
      [`conversation show ${thread}`, 'conversation'],
      [`message list --conversation ${thread}`, 'conversation'],
    ] as const) {
      const { code, stderr } = await installation.admin(`${line} --sub-account ${other}`);
      expect(code).toBe(1);
      expect(stderr).toContain(`there is no ${noun}`);
    }
  });
});
