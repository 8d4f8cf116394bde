import { merging } from '../../support/merging.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact } from '../../tasks/tasks.support.ts';
import { MAIL, messagesOf, post, queued, setUpChannel } from '../conversations.support.ts';

const WAIT = { timeout: 60_000 };

const LOCK = 'select from conversations where sub_account_id = $1 and id = $2 for update';
const MOVE = 'update conversations set contact_id = $2 where id = $1 and contact_id <> $2';
const FILL = `update contacts set email = 'ada@example.com', addresses = '{ada@example.com}',
  dnd = $2 where id = $1`;

/** Sends while a contact with an email is being merged into a contact without one. */
async function sendMeanwhile(service: TestService, isHis: boolean, dnd: object) {
  await setUpChannel(service, 'email');
  const kept = await newContact(service, { email: null });
  const other = await newContact(service, { email: null });
  const { id } = await opened(service, isHis ? kept : other);
  await service.eventNames();
  const merge = await merging(service, [
    [LOCK, [service.subAccountId, id]],
    [MOVE, [id, kept]],
    [FILL, [kept, dnd]],
  ]);
  const sending = post(service, id, MAIL);
  await expect.poll(merge.isWaitedFor, WAIT).toBe(true);
  await merge.end();
  return { id, answer: await sending };
}

async function opened({ call }: TestService, contactId: string) {
  const answer = await call('POST /api/v1/conversations', {
    body: { contactId, channel: 'email' },
  });
  return answer.body.data;
}

describe.each([
  ['the thread of the kept contact', true],
  ['the thread of the merged contact', false],
] as const)('a message into %s during a merge', (_, isHis) => {
  test('is sent to the kept contact’s email', async ({ service }) => {
    const { id, answer } = await sendMeanwhile(service, isHis, {});
    expect([answer.status, answer.body.data?.toAddress]).toEqual([201, 'ada@example.com']);
    expect(await queued(service)).toEqual([answer.body.data.id]);
    expect(await messagesOf(service, id)).toHaveLength(1);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is skipped if the kept contact is suppressed', async ({ service }) => {
    const { id, answer } = await sendMeanwhile(service, isHis, { email: true });
    expect(answer.body.data).toMatchObject({ id: null, skipped: true, reason: 'dnd' });
    expect([await messagesOf(service, id), await queued(service)]).toEqual([[], []]);
    expect(await service.eventNames()).toEqual([]);
  });
});
