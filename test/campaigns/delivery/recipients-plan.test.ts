import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { findRecipients } from '../../../src/campaigns/delivery/find-recipients.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { insertUnchecked } from '../../support/unchecked-rows.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  ESTABLISHED,
  MANY,
  readsOf,
  statementsOf,
} from '../../support/unknown-sub-account.ts';

const RECIPIENTS = `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id,
    email, address)
  select $1, gen_random_uuid(), $2, id, id::text, id::text from contacts where sub_account_id = $1`;

async function sentCampaign(service: Delivering, rows: number) {
  const subAccountId = await addSubAccount(service);
  const campaignId = newId(new Date());
  await addContacts(service, { subAccountId, rows });
  await insertUnchecked(service, [subAccountId, campaignId], [RECIPIENTS]);
  return { subAccountId, campaignId };
}

async function readsOfPage(service: Delivering, rows: number): Promise<number> {
  const { subAccountId, campaignId } = await sentCampaign(service, rows);
  const view = service.openView(subAccountId, new Date());
  const input = { campaignId, status: undefined, search: 'a b', after: undefined, limit: 50 };
  const sent = await statementsOf(async () =>
    expect(await findRecipients(view, input)).toHaveLength(50),
  );
  return readsOf(service, sent);
}

test.runIf(countsReads)(
  'a page of recipients reads a sub-account that the statistics do not know yet once',
  async () => {
    const service = await startDelivering();
    await sentCampaign(service, ESTABLISHED);
    await service.database.rows('analyze');
    expect(await readsOfPage(service, MANY)).toBeLessThan(10 * MANY);
  },
);
