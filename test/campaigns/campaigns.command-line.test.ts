import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { smtp } from '../conversations/sending.support.ts';
import { MANIFEST, WAIT } from './campaigns.support.ts';

let installation: Installation;
let server: MailServer;
let folder: string;
let ids: Record<string, Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-campaigns-'));
  server = await startMailServer();
  installation = await startInstallation();
  const applied = await apply(installation.subAccountId);
  ids = applied.json.ids;
  for (const email of ['ada@example.com', 'bob@example.com']) {
    const body = { firstName: email.split('@')[0], lastName: 'L', email, tags: ['client'] };
    await installation.call('POST /api/v1/contacts', { body });
  }
});

afterAll(async () => {
  await installation.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function apply(subAccountId: string) {
  const file = join(folder, 'manifest.json');
  const channels = smtp(Number(new URL(server.url).port));
  await writeFile(file, JSON.stringify({ ...MANIFEST, channels }));
  return installation.admin(`apply -f ${file} --sub-account ${subAccountId}`);
}

/** The same link on the test's own server. */
const here = (link: string) => new URL(new URL(link).pathname, installation.url).href;

/** Shows the only captured mail of a sandbox, and unsubscribes with the link in it. */
async function showsAndUnsubscribes(sandboxId: string) {
  const { admin } = installation;
  const { json: listed } = await admin(`outbox list --sub-account ${sandboxId}`);
  const [{ id, bodyHtml, bodyText }] = listed;
  const shown = await admin(`outbox show ${id}`);
  const { headers, previewUrl, ...captured } = shown.json;
  expect(captured).toEqual(listed[0]);
  const link = /<a href="([^"]+\/u\/[^"]+)">No<\/a>/.exec(bodyHtml)?.[1] ?? '';
  expect(bodyText).toContain(link);
  expect(headers).toEqual({
    From: 'hello@harbour.example',
    To: 'ada@example.com',
    Subject: 'Hello Ada',
    Date: expect.stringMatching(/ \+0000$/),
    'Message-ID': `<${id}@harbour.example>`,
    'List-Unsubscribe': `<${link}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
  });

  const page = await fetch(here(previewUrl));
  // The server of the test has another address than the command.
  const pageHtml = (await page.text()).replaceAll(/localhost:\d+/g, 'localhost:8080');
  expect([page.status, pageHtml]).toEqual([200, bodyHtml]);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox$/);
  const otherKind = previewUrl.replace('/outbox/', '/campaigns/preview/');
  expect((await fetch(here(otherKind))).status).toBe(404);
  expect((await fetch(here(`${previewUrl}x`))).status).toBe(404);

  expect((await fetch(here(link))).status).toBe(200);
  expect((await fetch(here(link), { method: 'POST' })).status).toBe(200);
  const { json: suppressed } = await admin(`suppression list --sub-account ${sandboxId}`);
  expect(suppressed).toMatchObject([{ email: 'ada@example.com', reason: 'unsubscribe' }]);
}

const create = (...more: readonly string[]) =>
  installation.admin(
    `campaign create --sub-account ${installation.subAccountId} --name Spring --layout Newsletter`,
    '--subject',
    'Hello {{firstName}}',
    '--content-html',
    '<p>Dear {{firstName}}</p>',
    ...more,
  );

describe('frontdesk admin campaign', () => {
  test('creates drafts, shows and lists them', async () => {
    const { code, json } = await create('--list', 'chosen', '--preheader', 'New');
    expect(code).toBe(0);
    expect(json).toMatchObject({
      subAccountId: installation.subAccountId,
      name: 'Spring',
      status: 'draft',
      channel: 'email',
      listId: ids['lists']?.['chosen'],
      recipients: { pending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
      unsubscribed: 0,
    });
    const shown = await installation.admin(`campaign show ${json.id}`);
    const previewUrl = expect.stringMatching(/^http:\/\/localhost:8080\/campaigns\/preview\//);
    expect(shown.json).toEqual({ ...json, previewUrl });
    const { json: rows } = await installation.admin('campaign list');
    expect(rows[0]).toMatchObject({ id: json.id, status: 'draft' });
    expect(ids['templates']).toEqual({ letter: expect.any(String) });
  });

  test('prints the reason of a refusal, and exits 1', async () => {
    const unknownLayout = await installation.admin(
      `campaign create --sub-account ${installation.subAccountId} --name N --subject S --layout Nope --content-html H`,
    );
    expect(unknownLayout.code).toBe(1);
    expect(unknownLayout.stderr).toContain('layout_not_found');
    expect((await create('--list', 'nope')).stderr).toContain('no list has the key nope');
    const unknown = await installation.admin(`campaign show ${crypto.randomUUID()}`);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no campaign')]);
    expect((await create('--channel', 'fax')).code).toBe(2);
  });

  test('creates an SMS campaign, which the API refuses to send', async () => {
    const { json } = await create('--channel', 'sms');
    expect(json.channel).toBe('sms');
    const { status, body } = await installation.call(`POST /api/v1/campaigns/${json.id}/send`);
    expect([status, body.error.code]).toEqual([400, 'channel_unsupported']);
  });

  test('mails a preview and changes nothing', async () => {
    const { json } = await create();
    const before = server.mails.length;
    const sent = await installation.admin(`campaign preview ${json.id} --to bob@example.com`);
    expect(sent.json).toEqual({ id: json.id, to: 'bob@example.com', sent: true });
    expect(server.mails).toHaveLength(before + 1);
    expect(server.mails.at(-1)).toMatchObject({ to: ['bob@example.com'], subject: 'Hello bob' });
    expect((await installation.admin(`campaign show ${json.id}`)).json.status).toBe('draft');
  });

  test('starts a due campaign once without a worker; pauses, resumes and cancels it', async () => {
    const { json } = await create();
    const soon = { scheduledAt: Date.now() + 3_600_000 };
    await installation.call(`POST /api/v1/campaigns/${json.id}/schedule`, { body: soon });
    expect((await installation.admin('campaign dispatch-due')).json).toEqual([]);
    const client = new Client({ connectionString: installation.databaseUrl });
    await client.connect();
    await client.query('update campaigns set scheduled_at = now() where id = $1', [json.id]);
    await client.end();
    const rounds = await Promise.all([1, 2].map(() => installation.admin('campaign dispatch-due')));
    expect(rounds.flatMap((round) => round.json)).toMatchObject([
      { id: json.id, status: 'sending' },
    ]);
    const { json: shown } = await installation.admin(`campaign pause ${json.id}`);
    expect(shown).toMatchObject({ status: 'paused', recipients: { pending: 2 } });
    const again = await installation.admin(`campaign pause ${json.id}`);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('invalid_status')]);
    const resumed = await installation.admin(`campaign resume ${json.id}`);
    expect(resumed.json.status).toBe('sending');
    expect((await installation.admin(`campaign cancel ${json.id}`)).code).toBe(2);
    const cancelled = await installation.admin(`campaign cancel ${json.id} --yes`);
    expect(cancelled.json).toMatchObject({ status: 'cancelled', recipients: { skipped: 2 } });
    expect((await installation.admin(`campaign unknowns ${json.id}`)).json).toEqual([]);
  });

  test('watches a campaign until it is sent; a list contains the added contacts', async () => {
    const add = (...emails: readonly string[]) =>
      installation.admin(
        `list add chosen --sub-account ${installation.subAccountId} --email`,
        ...emails,
      );
    const unknown = await add('ada@example.com', 'unknown@example.com');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('unknown@')]);
    const ada = { email: 'ada@example.com', contactId: expect.any(String) };
    expect((await add('Ada@example.com')).json).toEqual([{ ...ada, added: true }]);
    const both = await add('ada@example.com', 'bob@example.com');
    expect(both.json).toMatchObject([{ added: false }, { added: true }]);
    const filtered = await installation.admin(
      `list add clients --sub-account ${installation.subAccountId} --email ada@example.com`,
    );
    expect([filtered.code, filtered.stderr]).toEqual([1, expect.stringContaining('is dynamic')]);

    const { json } = await create('--list', 'chosen');
    const before = server.mails.length;
    await installation.call(`POST /api/v1/campaigns/${json.id}/send`);
    const watching = installation.admin(`campaign show ${json.id} --watch`);
    await installation.startWorker();
    const { json: shown } = await watching;
    expect(shown).toMatchObject({ status: 'sent', recipients: { sent: 2, pending: 0 } });
    expect(server.mails).toHaveLength(before + 2);
  });

  test('sends to contacts that an import has added to the list', async () => {
    const file = join(folder, 'contacts.csv');
    await writeFile(file, 'firstName,lastName,email\nCy,L,cy@example.com\nAda,L,ada@example.com\n');
    const manifest = join(folder, 'lists.json');
    await writeFile(manifest, JSON.stringify({ lists: [{ key: 'fair', name: 'Fair' }] }));
    const { admin, subAccountId } = installation;
    await admin(`apply -f ${manifest} --sub-account ${subAccountId}`);
    const put = (list: string) =>
      admin(`contact import ${file} --sub-account ${subAccountId} --list ${list}`);
    expect((await put('nope')).stderr).toContain('no list has the key nope');
    expect((await put('clients')).stderr).toContain('is dynamic');
    expect((await put('fair')).json).toMatchObject({ created: 1, updated: 1, failed: 0 });
    const emails = ['--email', 'cy@example.com', 'ada@example.com'];
    const listed = await admin(`list add fair --sub-account ${subAccountId}`, ...emails);
    expect(listed.json).toMatchObject([{ added: false }, { added: false }]);
  });

  test('captures the mails of a sandbox', async () => {
    const { admin } = installation;
    const { json: sandbox } = await admin('sub-account create --name Try --sandbox');
    await apply(sandbox.id);
    const key = await admin(`key create --name K --scopes all --sub-account ${sandbox.id}`);
    const call = (line: string, body?: object) =>
      installation.call(line, { key: key.json.key, ...(body && { body }) });
    const ada = { firstName: 'Ada', lastName: 'L', email: 'ada@example.com', tags: ['client'] };
    await call('POST /api/v1/contacts', ada);
    const { body } = await call('POST /api/v1/campaigns', {
      name: 'Spring',
      subject: 'Hello {{firstName}}',
      contentHtml:
        '<p>Dear {{firstName}}</p><script>alert(1)</script><a href="{{unsubscribe_link}}">No</a>',
      layout: 'Newsletter',
    });
    const before = server.mails.length;
    await call(`POST /api/v1/campaigns/${body.data.id}/send`);
    await vi.waitFor(async () => {
      const { json } = await admin(`outbox list --sub-account ${sandbox.id}`);
      expect(json).toMatchObject([
        {
          campaignId: body.data.id,
          channel: 'email',
          toAddress: 'ada@example.com',
          subject: 'Hello Ada',
          bodyHtml: expect.stringContaining('<p>Dear Ada</p>'),
          bodyText: expect.stringContaining('Dear Ada'),
          status: 'sent',
        },
      ]);
    }, WAIT);
    await showsAndUnsubscribes(sandbox.id);
    const preview = await admin(`campaign preview ${body.data.id} --to me@example.com`);
    expect([preview.code, preview.stderr]).toEqual([
      1,
      expect.stringContaining('open the previewUrl'),
    ]);
    expect(server.mails).toHaveLength(before);
  });
});
