import { expect, vi } from 'vitest';
import { createContact } from '../../src/contacts/create-contact.ts';
import type { Sending } from '../conversations/sending.support.ts';
import { apply } from '../support/manifest.ts';
import { OPERATOR, type TestService } from '../support/service.ts';

/** Long enough for workers, mail servers and the queue on a busy machine. */
export const WAIT = { timeout: 60_000, interval: 50 };

export const LAYOUT = '<html><body><h1>Harbour</h1>{{content}}</body></html>';

/** A static list, a list by tag, and a layout whose default is the latter. */
export const MANIFEST = {
  lists: [
    { key: 'clients', name: 'Clients', filter: { tags: ['client'] } },
    { key: 'chosen', name: 'Chosen' },
  ],
  templates: [{ key: 'letter', name: 'Newsletter', html: LAYOUT, defaultList: 'clients' }],
};

export const CAMPAIGN = {
  name: 'Spring',
  subject: 'Hello {{firstName}}',
  contentHtml: '<p>Dear {{fullName}}, spring is here.</p>',
  layout: 'Newsletter',
};

/** Applies the manifest to a sub-account. Returns the ids of its lists by key. */
export async function setUpCampaigns(
  service: Pick<TestService, 'transact' | 'subAccountId'> | Sending,
  manifest: object = MANIFEST,
): Promise<Record<string, string>> {
  const to = { ...service, actor: OPERATOR } as unknown as TestService;
  return ((await apply(to, manifest)).ids as any).lists;
}

/** Creates contacts with the tag `client`. Returns their ids by email. */
export async function clients(
  { transact, subAccountId }: Pick<TestService, 'transact' | 'subAccountId'>,
  emails: readonly string[],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const email of emails) {
    const [name = ''] = email.split('@');
    const given = { firstName: name, lastName: 'Guest', email, tags: ['client'] };
    const { id } = await transact(subAccountId, OPERATOR, (work) => createContact(work, given));
    ids[email] = id;
  }
  return ids;
}

export interface CampaignRow {
  readonly status: string;
  readonly heldBecause: string | null;
}

export async function campaignOf(
  { database }: Pick<TestService, 'database'>,
  id: string,
): Promise<CampaignRow> {
  const [row] = await database.rows<CampaignRow>(
    'select status, held_because as "heldBecause" from campaigns where id = $1',
    [id],
  );
  return row!;
}

export interface RecipientRow {
  readonly id: string;
  readonly contactId: string;
  readonly address: string;
  readonly status: string;
  readonly attempts: number;
  readonly errorCode: string | null;
}

/** Returns the recipients of a campaign, ordered by address. */
export const recipientsOf = (
  { database }: Pick<TestService, 'database'>,
  id: string,
): Promise<RecipientRow[]> =>
  database.rows<RecipientRow>(
    `select id, contact_id as "contactId", address, status, attempts, error_code as "errorCode" from campaign_recipients
     where campaign_id = $1 order by address`,
    [id],
  );

export async function became(
  service: Pick<TestService, 'database'>,
  id: string,
  status: string,
): Promise<void> {
  await vi.waitFor(async () => expect((await campaignOf(service, id)).status).toBe(status), WAIT);
}

/** Creates a draft and a contact on its list by the API. Returns the id of the draft. */
export async function newCampaign(service: TestService, key = 'full'): Promise<string> {
  const subAccountId = key === 'other' ? service.otherSubAccountId : service.subAccountId;
  await setUpCampaigns({ transact: service.transact, subAccountId });
  const contact = { firstName: 'Ada', lastName: 'L', tags: ['client'] };
  const body = { ...contact, email: `${crypto.randomUUID()}@example.com` };
  await service.call('POST /api/v1/contacts', { key, body });
  const made = await service.call('POST /api/v1/campaigns', { key, body: CAMPAIGN });
  return made.body.data.id as string;
}
