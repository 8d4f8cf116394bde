import { expect, test } from 'vitest';
import { receiveMessage } from '../../src/conversations/inbound/receive-message.ts';
import { bridge, sink, startSending, type Sending } from '../conversations/sending.support.ts';
import { OPERATOR } from '../support/service.ts';

/** Turns the contact's conversation into a chat of the widget. */
const openWidget = ({ database, subAccountId }: Sending, conversationId: string) =>
  database.rows(
    `insert into chat_sessions
       (sub_account_id, id, secret_hash, conversation_id, visitor_name, created_at)
     values ($1, gen_random_uuid(), 'x', $2, 'Ada', now())`,
    [subAccountId, conversationId],
  );

async function withBridge() {
  const sending = await startSending();
  const to = await sink();
  await sending.setUp({ live_chat: bridge(to).social_dm });
  const id = await sending.wrote('live_chat', 'ada@example.com');
  await openWidget(sending, id);
  return { sending, to, id };
}

test('a reply to the widget is not sent to the bridge of other chats', async () => {
  const { sending, to, id } = await withBridge();
  const messageId = await sending.reply(id, 'live_chat');
  await sending.startWorker();
  expect(await sending.settled(messageId)).toMatchObject({ status: 'sent', externalId: null });
  expect(to.requests).toEqual([]);
});

test('messages of a bridge get a chat of their own', async () => {
  const { sending, id } = await withBridge();
  const again = { externalId: 'in-2', from: 'ada@example.com', bodyText: 'Elsewhere' };
  const messageId = await sending.transact(sending.subAccountId, OPERATOR, (work) =>
    receiveMessage(work, 'live_chat', again),
  );
  const [message] = await sending.database.rows<{ thread: string }>(
    'select conversation_id as thread from messages where id = $1',
    [messageId],
  );
  expect(message?.thread).not.toBe(id);
});
