import { expect, test } from 'vitest';
import { findEstimates } from '../../src/catalog/find-estimates.ts';
import { resendMessage } from '../../src/conversations/messages/resend-message.ts';
import { noon, startNoticing, type Noticing } from '../booking/notices/notices.support.ts';
import { OPERATOR } from '../support/service.ts';
import { begin, workflowOf } from '../workflows/workflows.support.ts';

const isShown = ({ openView, clock, subAccountId, contactId }: Noticing): Promise<boolean> =>
  findEstimates(openView(subAccountId, clock()), contactId).then(
    () => true,
    () => false,
  );

test('a booking notice and a message of a workflow are no exchange; a reply of a person is', async () => {
  const desk = await startNoticing();
  const { subAccountId, contactId } = desk;
  const typeId = await desk.calendar({ confirmation: { channel: 'email', body: 'Booked' } });
  await desk.manifest(workflowOf([{ send: { channel: 'email', subject: 'Hi', body: 'Hi' } }]));
  await desk.book(typeId, noon(3));
  await begin(desk, subAccountId, [contactId]);
  await desk.startWorker();
  expect((await desk.settledAt(2)).map(({ status }) => status)).toEqual(['sent', 'sent']);
  expect(await isShown(desk)).toBe(false);

  await desk.write('email');
  await desk.settledAt(3);
  expect(await isShown(desk)).toBe(true);
});

test('an automatic message that is sent again is no exchange either', async () => {
  const desk = await startNoticing();
  const { subAccountId, contactId, database, transact } = desk;
  await desk.manifest(workflowOf([{ send: { channel: 'email', subject: 'Hi', body: 'Hi' } }]));
  await begin(desk, subAccountId, [contactId]);
  await desk.startWorker();
  await desk.settledAt(1);
  const [failed] = await database.rows<{ id: string; conversationId: string }>(FAIL, [
    subAccountId,
  ]);
  const { id: messageId = '', conversationId = '' } = failed ?? {};
  await transact(subAccountId, OPERATOR, (work) =>
    resendMessage(work, { conversationId, messageId }),
  );
  await desk.settledAt(2);
  expect(await isShown(desk)).toBe(false);
});

const FAIL = `update messages set status = 'failed' where sub_account_id = $1
  returning id, conversation_id as "conversationId"`;
