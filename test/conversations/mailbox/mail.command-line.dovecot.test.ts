import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startInstallation, type Installation } from '../../support/command-line.ts';
import { IMAP_USER } from '../../support/imap-server.ts';
import { fromAda, imapServer, mailing, WAIT } from './mail.support.ts';
import { mailServer } from '../sending.support.ts';

const SECRET = 'the pipe of the mail server';

let folder: string;
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-mail-'));
});
afterAll(async () => {
  await installation.close();
  await rm(folder, { recursive: true, force: true });
});

/** Pipes a mail into the command, as a mail server does. */
async function pipe(raw: string): Promise<any> {
  const signature = createHmac('sha256', SECRET).update(raw).digest('hex');
  const { url, subAccountId } = installation;
  const answer = await fetch(`${url}/webhooks/provider/${subAccountId}/email/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-signature': `sha256=${signature}` },
    body: raw,
  });
  return { status: answer.status, body: await answer.json() };
}

async function setUp(channels: object): Promise<void> {
  const file = join(folder, 'channels.json');
  await writeFile(file, JSON.stringify({ channels }));
  const { admin, subAccountId } = installation;
  const { code, stderr } = await admin('apply', '-f', file, '--sub-account', subAccountId);
  expect([code, stderr]).toEqual([0, '']);
}

/** Waits until the mailbox was opened: mails that are there by then are history. */
async function opened(): Promise<void> {
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  await vi.waitFor(async () => {
    const { rows } = await client.query('select from mailboxes where place is not null');
    expect(rows).toHaveLength(1);
  }, WAIT);
  await client.end();
}

describe('mails of the installed program', { timeout: 180_000 }, () => {
  test('are one conversation, sent and received by IMAP and by a pipe, even if the worker is killed', async () => {
    const { call } = installation;
    const [out, imap] = [await mailServer(), await imapServer()];
    const { email } = mailing(out.port, imap);
    await setUp({ email: { ...email, replyTo: IMAP_USER, secret: SECRET } });
    let worker = await installation.startWorker();

    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    const { id: contactId } = (await call('POST /api/v1/contacts', { body: ada })).body.data;
    const thread = { contactId, channel: 'email' };
    const { id } = (await call('POST /api/v1/conversations', { body: thread })).body.data;
    const path = `/api/v1/conversations/${id}`;
    const messages = async () => (await call(`GET ${path}/messages`)).body.data.toReversed();
    const say = async (bodyText: string) => {
      const body = { channel: 'email', subject: 'Your visit', bodyText };
      return (await call(`POST ${path}/messages`, { body })).body.data.id as string;
    };
    const arrived = (count: number) =>
      vi.waitFor(async () => expect(await messages()).toHaveLength(count), WAIT);

    const settled = () =>
      vi.waitFor(async () => {
        const states = (await messages()).map(({ status }: any) => status);
        expect(states).not.toContain('pending');
      }, WAIT);

    const first = await say('Is Tuesday fine?');
    const [question] = await out.next(1);
    await settled();
    expect(question?.headers['message-id']).toBe(`<${first}@harbour.example>`);
    expect(question?.headers).not.toHaveProperty('in-reply-to');
    expect(question?.headers['reply-to']).toBe(
      `hello+${first.replaceAll('-', '')}@harbour.example`,
    );

    await opened();
    await worker.end('SIGKILL');
    const answer = {
      'Message-ID': '<yes@example.com>',
      'In-Reply-To': `<${first}@harbour.example>`,
    };
    await imap.deliver(fromAda(answer, 'Yes, it is'));
    worker = await installation.startWorker();
    await arrived(2);

    const second = await say('See you then');
    const [confirmation] = await out.next(1);
    await settled();
    expect(confirmation?.headers).toMatchObject({
      'in-reply-to': '<yes@example.com>',
      references: `<${first}@harbour.example> <yes@example.com>`,
    });

    await call(`PATCH ${path}`, { body: { status: 'closed' } });
    await worker.end('SIGKILL');
    const thanks = fromAda(
      { References: `<yes@example.com> <${second}@harbour.example>` },
      'Thanks',
    );
    const piped = await pipe(thanks);
    expect(piped).toEqual({ status: 200, body: { data: { messageId: expect.any(String) } } });
    expect(await pipe(thanks)).toEqual(piped);
    await imap.deliver(thanks);
    await imap.deliver(fromAda({}, 'One more thing'));
    worker = await installation.startWorker();
    await arrived(5);
    expect((await messages()).map(({ bodyText }: any) => bodyText)).toEqual([
      'Is Tuesday fine?',
      'Yes, it is',
      'See you then',
      'Thanks',
      'One more thing',
    ]);
    const all = (await call('GET /api/v1/conversations')).body.data;
    expect(all).toMatchObject([{ id, status: 'open', unreadCount: 2 }]);
    expect(out.mails).toHaveLength(2);
  });

  test('that are unreadable or unsigned are refused', async () => {
    await setUp({ email: { ...mailing(25, { port: 143 }).email, secret: SECRET } });
    expect(await pipe('no mail at all')).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'unreadable_mail' } } },
    });
    const nothing = await pipe(fromAda({ 'Auto-Submitted': 'auto-replied' }));
    expect(nothing).toEqual({ status: 200, body: { data: { messageId: null } } });
    const { url, subAccountId } = installation;
    const unsigned = await fetch(`${url}/webhooks/provider/${subAccountId}/email/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-signature': 'sha256=00' },
      body: fromAda(),
    });
    expect(unsigned.status).toBe(401);
  });
});
