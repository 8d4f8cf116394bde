import { smtp } from '../conversations/sending.support.ts';
import { setUpForm } from '../forms/forms.support.ts';
import { begin, contactIn, applyTo, workflowOf } from '../workflows/workflows.support.ts';
import { setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { bookNext } from './calendars.ts';
import { apply } from './manifest.ts';
import { inviteAs, type Browser } from './people.ts';
import { nounOf, SUBSCRIPTION } from './samples.ts';
import type { TestService } from './service.ts';

/** Records that the samples of the console refer to. */
export const CHAT = { source: 'chat: {title: Ask us}' };
export const NEW_KEY = { name: 'Website', scopes: ['contacts:read'] };

export const memberId = async (service: TestService) => (await inviteAs(service, 'viewer')).userId;
export const keyId = async (_service: TestService, { call }: Browser): Promise<string> =>
  (await call('POST /console/api/v1/keys', { body: NEW_KEY })).body.data.id;

export const agencyKeyId = async (_service: TestService, { call }: Browser): Promise<string> =>
  (await call('POST /console/api/agency/keys', { body: NEW_KEY })).body.data.id;

export async function subAccountName({ database, subAccountId }: TestService): Promise<unknown> {
  const [row] = await database.rows<{ name: string }>(
    'select name from sub_accounts where id = $1',
    [subAccountId],
  );
  return row;
}

export const importId = async (_service: TestService, { call }: Browser): Promise<string> =>
  (
    await call('POST /console/api/v1/imports', {
      raw: 'firstName,lastName\n',
      headers: { 'content-type': 'text/csv' },
    })
  ).body.data.id;

/** Adds a passkey to the calling user. */
export async function passkeyId({ database }: TestService, { email }: Browser): Promise<string> {
  const [row] = await database.rows<{ id: string }>(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, name, created_at)
     select gen_random_uuid(), id, gen_random_uuid(), '', 0, 'Phone', now()
     from users where email = $1 returning id`,
    [email],
  );
  return row?.id ?? '';
}

/** A conversation of the live chat, which needs no provider. */
export async function conversationId({ call }: TestService): Promise<string> {
  const contact = { firstName: 'Ada', lastName: 'Lovelace' };
  const contactId = (await call('POST /api/v1/contacts', { body: contact })).body.data.id;
  const body = { contactId, channel: 'live_chat' };
  return (await call('POST /api/v1/conversations', { body })).body.data.id;
}

export async function failedMessageId(
  { call, database }: TestService,
  id: string,
): Promise<string> {
  const body = { channel: 'live_chat', bodyText: 'Hello' };
  const messageId = (await call(`POST /api/v1/conversations/${id}/messages`, { body })).body.data
    .id;
  await database.rows(`update messages set status = 'failed' where id = $1`, [messageId]);
  return messageId;
}

export const appointmentId = async (service: TestService): Promise<string> =>
  (await bookNext(service)).id;

export const contactId = (service: TestService) => contactIn(service, service.subAccountId);

/** A submission of a contact, without answers. */
export async function submissionId(service: TestService, contact: string): Promise<string> {
  await setUpForm(service);
  const [row] = await service.database.rows<{ id: string }>(
    `insert into form_submissions (sub_account_id, id, form_id, contact_id, fields, created_at)
     select sub_account_id, gen_random_uuid(), id, $2, '{}', now() from forms
     where sub_account_id = $1 returning id`,
    [service.subAccountId, contact],
  );
  return row?.id ?? '';
}

/** A campaign with this status, which no worker sends. */
export const campaignId =
  (status = 'draft') =>
  async (service: TestService): Promise<string> => {
    const id = await nounOf('/api/v1/campaigns').make(service);
    await service.database.rows('update campaigns set status = $2, started_at = $3 where id = $1', [
      id,
      status,
      status === 'paused' ? new Date() : null,
    ]);
    return id;
  };

/** A list of a new manifest. */
export const campaignListId = async (service: TestService): Promise<string> =>
  (await setUpCampaigns(service))['clients'] ?? '';

/** A saved view of the calling user. */
export const viewId = async (_service: TestService, { call }: Browser): Promise<string> =>
  (await call('POST /console/api/v1/contact-views', { body: newView() })).body.data.id;

export const newView = () => ({
  name: `Leads ${crypto.randomUUID()}`,
  filter: { lifecycleStage: 'lead', tags: ['vip'] },
  columns: ['email', 'phone'],
});

export const VIP = { filter: { lifecycleStage: 'lead' }, change: { addTags: ['vip'] } };

export const bulkChangeId = async (_service: TestService, { call }: Browser): Promise<string> =>
  (await call('POST /console/api/v1/contact-changes', { body: VIP })).body.data.id;

export const ADDRESS = 'ada@example.com';
export const reachableId = async ({ call }: TestService): Promise<string> =>
  (
    await call('POST /api/v1/contacts/upsert', {
      body: { firstName: 'Ada', lastName: 'Lovelace', email: ADDRESS },
    })
  ).body.data.id;

/** The pipeline of a new opportunity. */
export async function pipelineId(service: TestService): Promise<string> {
  const id = await nounOf('/api/v1/opportunities').make(service);
  return (await service.call(`GET /api/v1/opportunities/${id}`)).body.data.pipelineId;
}

const setUpFlow = (service: TestService) =>
  applyTo(service, service.subAccountId, workflowOf([{ wait: { for: '1h' } }]));

/** The path names a workflow by its slug. */
export async function slug(service: TestService): Promise<string> {
  await setUpFlow(service);
  return 'flow';
}

export async function runId(service: TestService): Promise<string> {
  await setUpFlow(service);
  const [id = ''] = await begin(service, service.subAccountId, [await contactId(service)]);
  return id;
}

export const subscriptionId = async ({ call }: TestService): Promise<string> =>
  (await call('POST /api/v1/webhooks', { body: SUBSCRIPTION })).body.data.id;

export async function deliveryId(service: TestService): Promise<string> {
  const id = await subscriptionId(service);
  return (await service.call(`POST /api/v1/webhooks/${id}/test`)).body.data.id;
}

/** An event of a new contact; reading the feed publishes it. */
export async function eventId(service: TestService): Promise<string> {
  const about = await contactId(service);
  const { body } = await service.call('GET /api/v1/events');
  return body.data.find(({ data }: any) => data.contactId === about).id;
}

/** A call of an agent that waits for a decision. */
export async function approvalId(service: TestService): Promise<string> {
  const given = { action: 'contacts.delete', arguments: { contactId: await contactId(service) } };
  const { body } = await service.call('POST /mcp', {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run_action', arguments: given },
    },
  });
  return body.result.structuredContent.approvalId;
}

/** A channel whose server cannot be reached. */
export async function channel(service: TestService): Promise<string> {
  await apply(service, { channels: smtp(25) });
  return 'email';
}
