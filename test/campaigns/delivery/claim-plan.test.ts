import { expect, test } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import {
  CLAIM,
  settleValues,
  type ClaimRow,
  type Settled,
} from '../../../src/campaigns/delivery/claim-recipients.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  ESTABLISHED,
  FEW,
  MANY,
  readsOf,
} from '../../support/unknown-sub-account.ts';

const CLAIMED = 10;

const CAMPAIGN = `insert into campaigns (sub_account_id, id, channel, name, subject, content_html,
    layout, layout_html, status, created_at, updated_at)
  values ($1, $2, 'email', 'A', 'A', '', 'A', '', 'sending', now(), now())`;
const RECIPIENTS = `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id,
    email, address)
  select $1, gen_random_uuid(), $2, id, id::text, id::text from contacts where sub_account_id = $1`;
const LEASE = `insert into campaign_turns (sub_account_id, turn, turn_until)
  values ($1, $2, now() + interval '5 s')`;

async function sendingCampaign(service: Delivering, rows: number) {
  const { database } = service;
  const subAccountId = await addSubAccount(service);
  const lease = { subAccountId, campaignId: newId(new Date()), holder: crypto.randomUUID() };
  await addContacts(service, { subAccountId, rows });
  await database.rows(CAMPAIGN, [subAccountId, lease.campaignId]);
  await database.rows(RECIPIENTS, [subAccountId, lease.campaignId]);
  await database.rows(LEASE, [subAccountId, lease.holder]);
  return lease;
}

/** What the second claim of a new campaign reads, which records the outcomes of the first. */
async function readsOfClaim(service: Delivering, recipients: number): Promise<number> {
  const lease = await sendingCampaign(service, recipients);
  const first = [...settleValues(lease, []), AGENCY, CLAIMED];
  const claimed = await service.database.rows<ClaimRow>(CLAIM, first);
  expect(claimed).toHaveLength(CLAIMED);
  const settled = claimed.map(({ id }): Settled => {
    const outcome = { status: 'sent', errorCode: null, errorMessage: null, waitMs: null } as const;
    return { id: id ?? '', ...outcome, isAttempt: true };
  });
  const values = [...settleValues(lease, settled), AGENCY, CLAIMED];
  return readsOf(service, [{ text: CLAIM, values }]);
}

test.runIf(countsReads)(
  'a claim reads as few rows of a sub-account that the statistics do not know yet',
  async () => {
    const service = await startDelivering();
    await sendingCampaign(service, ESTABLISHED);
    await service.database.rows('analyze');
    const few = await readsOfClaim(service, FEW);
    const many = await readsOfClaim(service, MANY);
    expect(many).toBeLessThan(2 * few);
  },
);
