import type { JobContext } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import type { OptOutChannel } from '../../src/contacts/consent/opt-out.entity.ts';
import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { handleSendMessage } from '../../src/conversations/messages/send-message.ts';
import { expect, type Answer, type TestService } from '../support/service.ts';
import { newContact } from '../tasks/tasks.support.ts';

export const ADA = { email: 'ada@example.com', phone: '+4930123456', company: 'Engines' };

/** Opens a conversation with a new contact and drops the events of both. */
export async function newThread(
  service: TestService,
  channel = 'email',
  contact: object = ADA,
): Promise<{ readonly id: string; readonly contactId: string }> {
  const contactId = await newContact(service, contact);
  const { id } = await opened(service, { contactId, channel });
  return { id, contactId };
}

export async function opened({ call }: TestService, body: object, status = 201): Promise<any> {
  const answer = await call('POST /api/v1/conversations', { body });
  expect([answer.status, answer.body.data?.created]).toEqual([status, status === 201]);
  return answer.body.data;
}

export const threadOf = async ({ call }: TestService, id: string): Promise<any> =>
  (await call(`GET /api/v1/conversations/${id}`)).body.data;

export const patched = async ({ call }: TestService, id: string, body: object): Promise<any> => {
  const answer = await call(`PATCH /api/v1/conversations/${id}`, { body });
  expect(answer.status).toBe(200);
  return answer.body.data;
};

export const post = (service: TestService, id: string, body: object): Promise<Answer> =>
  service.call(`POST /api/v1/conversations/${id}/messages`, { body });

export const messagesOf = async ({ call }: TestService, id: string): Promise<any[]> =>
  (await call(`GET /api/v1/conversations/${id}/messages`)).body.data;

/** Suppresses an address on a channel, as STOP does. */
export const suppress = (
  { transact, subAccountId, actor }: Pick<TestService, 'transact' | 'subAccountId' | 'actor'>,
  channel: OptOutChannel,
  address: string,
) =>
  transact(subAccountId, actor, (work) =>
    suppressAddress(work, { channel, address, reason: 'stop' }),
  );

/** A valid mail for any conversation by email. */
export const MAIL = { channel: 'email', subject: 'Your visit', bodyText: 'See you on Tuesday' };

/** Makes the sub-account of the test a sandbox. */
export async function inSandbox({ database, subAccountId, noticed }: TestService): Promise<void> {
  await database.rows('update sub_accounts set sandbox = true where id = $1', [subAccountId]);
  await noticed();
}

export async function setUpChannel(
  { database, subAccountId, noticed }: TestService,
  channel: string,
): Promise<void> {
  await database.rows(
    `insert into channels (sub_account_id, id, channel, provider, created_at, updated_at)
     values ($1, $2, $3, 'http', now(), now())`,
    [subAccountId, newId(new Date()), channel],
  );
  await noticed();
}

/** Runs the job that was queued for a message, as a worker would. */
export async function carried(service: TestService, messageId: string): Promise<void> {
  const { openView, clock, transact, actor, subAccountId } = service;
  const queuedAt = clock();
  const context = { openView, clock, transact, actor, queuedAt } as unknown as JobContext;
  await handleSendMessage.handle({ subAccountId, messageId }, context);
}

/** Returns the ids of messages that have a job. */
export async function queued({ database, subAccountId }: TestService): Promise<string[]> {
  const rows = await database.rows<{ id: string }>(
    `select payload->>'messageId' as id
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'conversations/send-message' and payload->>'subAccountId' = $1
     order by j.id`,
    [subAccountId],
  );
  return rows.map(({ id }) => id);
}

interface Inbound {
  readonly from?: string;
  readonly channel?: string;
}

/** Inserts an inbound message directly into the database. */
export async function inbound(
  { database, subAccountId }: TestService,
  conversationId: string,
  { from = 'ada@example.com', channel = 'email' }: Inbound = {},
): Promise<string> {
  const id = newId(new Date());
  await database.rows(
    `with message as (
       insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
         status, from_address, external_id, created_at)
       values ($1, $2, $3, $4, 'inbound', 'Hello', 'delivered', $5, $2::uuid::text, now())
     )
     update conversations set unread_count = unread_count + 1, last_message_at = now()
     where sub_account_id = $1 and id = $3`,
    [subAccountId, id, conversationId, channel, from],
  );
  return id;
}
