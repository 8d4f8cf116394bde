import { keyOf } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { sendMessage } from '../../../src/conversations/conversations.jobs.ts';
import { changeMessageStatus } from '../../../src/conversations/messages/change-message-status.ts';
import { apply } from '../../support/manifest.ts';
import { signInAs } from '../../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { contactIn } from '../../workflows/workflows.support.ts';
import { rulesOf, why } from './why.support.ts';

const EMAIL = 'ada@example.com';

describe('a message', () => {
  test.for(['ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-4000-8000-000000000000'])(
    'with the id %s is unknown',
    async (id, { service }) => {
      const { call } = await signInAs(service, 'admin');
      const found = await call(`GET /console/api/v1/why?kind=message&id=${id}`);
      expect([found.status, found.body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  async function thread(service: TestService, contactId: string): Promise<string> {
    const body = { contactId, channel: 'live_chat' };
    return (await service.call('POST /api/v1/conversations', { body })).body.data.id;
  }

  test('that failed names the code of the provider', async ({ service }) => {
    const { call, database, subAccountId } = service;
    const conversation = await thread(service, await contactIn(service, subAccountId));
    const sent = await call(`POST /api/v1/conversations/${conversation}/messages`, {
      body: { channel: 'live_chat', bodyText: 'Hello' },
    });
    const { id } = sent.body.data;
    await database.rows(
      `update messages set status = 'failed', error_code = '30005', error_message = 'Unknown handset'
       where id = $1`,
      [id],
    );
    expect(await why(service, { kind: 'message', id })).toMatchObject({
      happened: false,
      reasons: [
        { rule: '30005', sentence: 'The message was not sent: Unknown handset.', record: { id } },
      ],
    });
  });

  test('that was sent names the time at which it left, not that at which it was written', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    const contact = await contactIn(service, subAccountId);
    const conversation = await thread(service, contact);
    const { id } = (
      await call(`POST /api/v1/conversations/${conversation}/messages`, {
        body: { channel: 'live_chat', bodyText: 'Hello' },
      })
    ).body.data;
    const sentAt = new Date(service.clock().getTime() + 4 * 60_000).toISOString();
    await service.transact(subAccountId, OPERATOR, (work) =>
      changeMessageStatus(work, id, { status: 'sent' }),
    );
    await database.rows(
      `update outbox set occurred_at = $2 where name = 'message.sent' and data ->> 'messageId' = $1`,
      [id, sentAt],
    );
    const found = await why(service, { kind: 'message', id });
    expect(found).toMatchObject({ happened: true, reasons: [{ rule: 'sent', at: sentAt }] });
    expect(found.reasons[0].sentence).toMatch(/^The message was sent at /);
  });

  test('that waits names its next attempt; a failed one names the server and what became of its copy', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    await apply(service, {
      channels: { email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: EMAIL } },
    });
    const contactId = await contactIn(service, subAccountId, { email: 'jo@example.com' });
    const body = { contactId, channel: 'email' };
    const conversation = (await call('POST /api/v1/conversations', { body })).body.data.id;
    const path = `/conversations/${conversation}/messages`;
    const { id } = (
      await call(`POST /api/v1${path}`, {
        body: { channel: 'email', subject: 'Hi', bodyText: 'Hello' },
      })
    ).body.data;
    const ask = () => why(service, { kind: 'message', id });
    expect((await ask()).reasons[0].sentence).toMatch(/^The message is waiting to be sent\. /);
    const runAt = new Date('2030-01-02T20:30:00Z');
    await service.transact(subAccountId, OPERATOR, (work) => {
      const payload = { subAccountId, messageId: id, attempt: 3 };
      work.enqueue(sendMessage, payload, { runAt, key: keyOf(sendMessage, payload) });
      return Promise.resolve();
    });
    const [waiting] = (await ask()).reasons;
    expect(waiting).toMatchObject({ rule: 'waiting', at: runAt.toISOString() });
    expect(waiting.sentence).toContain('attempt 3 is made at Wed, 2 Jan 2030');
    const said = `Can't send mail - all recipients were rejected: 550 5.1.1 no such user.`;
    await service.transact(subAccountId, OPERATOR, (work) =>
      changeMessageStatus(work, id, { status: 'failed', errorCode: '550', errorMessage: said }),
    );
    const refused =
      'The message was not sent: the mail server refused it with its code 550: 5.1.1 no such user.';
    expect(await ask()).toMatchObject({
      happened: false,
      reasons: [{ rule: '550', sentence: refused }],
    });
    const agent = await signInAs(service, 'agent');
    const again = await agent.call(`POST /console/api/v1${path}/${id}/resend`);
    expect(again.status, JSON.stringify(again.body)).toBe(201);
    const copy = again.body.data.id;
    expect(await ask()).toMatchObject({
      happened: false,
      reasons: [
        { rule: '550' },
        {
          rule: 'sent_again',
          sentence: expect.stringMatching(/ was sent again at .* Result: The message is waiting /),
          record: { type: 'message', id: copy },
        },
      ],
    });
    await database.rows(`update messages set status = 'delivered' where id = $1`, [copy]);
    expect(await ask()).toMatchObject({ happened: true });
  });

  test('that was skipped is explained by its conversation: opt-out or do not disturb', async ({
    service,
  }) => {
    const { database, subAccountId, call } = service;
    const contact = await contactIn(service, subAccountId, { email: EMAIL });
    const conversationId = newId(service.clock());
    await database.rows(
      `insert into conversations (sub_account_id, id, contact_id, channel, status, unread_count,
         is_archived, created_at, updated_at)
       values ($1, $2, $3, 'email', 'open', 0, false, now(), now())`,
      [subAccountId, conversationId, contact],
    );
    const ask = () => why(service, { kind: 'message', conversationId });
    expect(rulesOf(await ask())).toEqual(['channel_not_configured']);
    await call(`PATCH /api/v1/contacts/${contact}`, { body: { dnd: { email: true } } });
    expect(rulesOf(await ask())).toEqual(['do_not_disturb']);
    const { id } = await service.transact(subAccountId, OPERATOR, (work) =>
      suppressAddress(work, { channel: 'email', address: EMAIL, reason: 'unsubscribe' }),
    );
    const found = await ask();
    expect(found.reasons).toMatchObject([{ rule: 'opted_out', record: { type: 'opt_out', id } }]);
    expect(Date.parse(found.reasons[0].at)).toBeGreaterThan(0);
  });
});
