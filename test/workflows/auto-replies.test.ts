import { expect, test, vi } from 'vitest';
import { createContact } from '../../src/contacts/create-contact.ts';
import { resendMessageById } from '../../src/conversations/messages/resend-message.ts';
import { writeMessage } from '../../src/conversations/messages/write-message.ts';
import { mailServer, smtp, startSending, type Sending } from '../conversations/sending.support.ts';
import type { MailServer } from '../support/mail-server.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, begin, WAIT } from './workflows.support.ts';

const sends = (subject: string) => ({ send: { channel: 'email', subject, body: 'Thank you.' } });

const workflow = (slug: string, triggers: readonly object[], steps: readonly object[]) => ({
  slug,
  name: slug,
  triggers,
  steps,
});

const WORKFLOWS = {
  workflows: [
    workflow('reply', [{ on: 'message.received' }], [sends('Reply'), { addTag: 'lead' }]),
    workflow('lead', [{ on: 'contact.tag_added' }], [sends('Lead')]),
    workflow('welcome', [{ on: 'contact.created' }], [sends('Welcome')]),
    workflow('call', [{ on: 'inbound_webhook' }], [sends('Call')]),
  ],
};

/** Waits for this many mails. Returns recipient, subject and `Auto-Submitted` of each, by subject. */
async function arrived({ mails }: MailServer, count: number) {
  await vi.waitFor(() => expect(mails).toHaveLength(count), WAIT);
  return mails
    .toSorted((a, b) => a.subject.localeCompare(b.subject))
    .map(({ to, subject, headers }) => [to[0], subject, headers['auto-submitted'] ?? null]);
}

async function started() {
  const sending = await startSending();
  const server = await mailServer();
  await sending.setUp(smtp(server.port));
  await applyTo(sending, sending.subAccountId, WORKFLOWS);
  await sending.startWorker();
  return { sending, server };
}

const eventsIn = async ({ database, subAccountId }: Sending) => {
  const rows = await database.rows<{ name: string }>(
    `select name from events where sub_account_id = $1
     union all select name from outbox where sub_account_id = $1`,
    [subAccountId],
  );
  return rows.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
};

test('mails of workflows that an inbound mail started, also indirectly, are marked as replies', async () => {
  const { sending, server } = await started();
  await sending.wrote('email', 'bob@example.com');
  expect(await arrived(server, 3)).toEqual([
    ['bob@example.com', 'Lead', 'auto-replied'],
    ['bob@example.com', 'Reply', 'auto-replied'],
    ['bob@example.com', 'Welcome', 'auto-replied'],
  ]);
  const sent = ['message.sent', 'message.sent', 'message.sent'];
  await vi.waitFor(async () => {
    const fired = (await eventsIn(sending)).filter((name) => name.startsWith('message.'));
    expect(fired).toEqual(['message.received', ...sent]);
  }, WAIT);
});

test('mails of other workflows, and other automatic mails, are not marked', async () => {
  const { sending, server } = await started();
  const { subAccountId: sub, contactId, transact } = sending;
  await transact(sub, OPERATOR, (work) =>
    createContact(work, { firstName: 'Eve', lastName: 'E', email: 'eve@example.com' }),
  );
  await begin(sending, sub, [contactId], 'call');
  const id = await sending.write('email');
  const [{ thread } = { thread: '' }] = await sending.database.rows<{ thread: string }>(
    'select conversation_id as thread from messages where id = $1',
    [id],
  );
  await transact(sub, OPERATOR, (work) =>
    writeMessage(
      work,
      thread,
      { channel: 'email', subject: 'Confirmed', bodyText: 'See you' },
      { isAutomatic: true },
    ),
  );
  expect(await arrived(server, 4)).toEqual([
    ['ada@example.com', 'Call', null],
    ['ada@example.com', 'Confirmed', null],
    ['eve@example.com', 'Welcome', null],
    ['ada@example.com', 'Your visit', null],
  ]);
});

test('a reply that failed is marked when it is sent again', async () => {
  const { sending, server } = await started();
  await sending.wrote('email', 'bob@example.com');
  await arrived(server, 3);
  const [message] = await sending.database.rows<{ id: string }>(
    `update messages set status = 'failed' where subject = 'Reply' and direction = 'outbound'
     returning id`,
  );
  await sending.transact(sending.subAccountId, OPERATOR, (work) =>
    resendMessageById(work, message?.id ?? ''),
  );
  const mails = await arrived(server, 4);
  expect(mails.filter(([, subject]) => subject === 'Reply')).toEqual([
    ['bob@example.com', 'Reply', 'auto-replied'],
    ['bob@example.com', 'Reply', 'auto-replied'],
  ]);
});
