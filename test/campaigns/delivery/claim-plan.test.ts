import { expect, inject, onTestFinished, test } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import {
  CLAIM,
  settleValues,
  type ClaimRow,
  type Settled,
} from '../../../src/campaigns/delivery/claim-recipients.ts';
import { startSending, type Sending } from '../../conversations/sending.support.ts';

const CLAIMED = 10;

const CONTACTS = `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage,
    tags, created_at, updated_at)
  select $1, gen_random_uuid(), 'A', 'B', 'lead', '{}', now(), now() from generate_series(1, $2)`;
const CAMPAIGN = `insert into campaigns (sub_account_id, id, channel, name, subject, content_html,
    layout, layout_html, status, created_at, updated_at)
  values ($1, $2, 'email', 'A', 'A', '', 'A', '', 'sending', now(), now())`;
const RECIPIENTS = `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id,
    email, address)
  select $1, gen_random_uuid(), $2, id, id::text, id::text from contacts where sub_account_id = $1`;
const LEASE = `insert into campaign_turns (sub_account_id, turn, turn_until)
  values ($1, $2, now() + interval '5 s')`;

async function sendingCampaign({ database }: Sending, subAccountId: string, recipients: number) {
  const lease = { subAccountId, campaignId: newId(new Date()), holder: crypto.randomUUID() };
  await database.rows(CONTACTS, [subAccountId, recipients]);
  await database.rows(CAMPAIGN, [subAccountId, lease.campaignId]);
  await database.rows(RECIPIENTS, [subAccountId, lease.campaignId]);
  await database.rows(LEASE, [subAccountId, lease.holder]);
  return lease;
}

/** Pages that the second claim of a new campaign reads, which records the outcomes of the first. */
async function pagesRead(sending: Sending, recipients: number): Promise<number> {
  const { database } = sending;
  const lease = await sendingCampaign(sending, await sending.subAccount(), recipients);
  const client = await database.pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('set plan_cache_mode = force_custom_plan');
  const first = [...settleValues(lease, []), AGENCY, CLAIMED];
  const { rows: claimed } = await client.query<ClaimRow>(CLAIM, first);
  expect(claimed).toHaveLength(CLAIMED);
  const settled = claimed.map(({ id }): Settled => {
    const outcome = { status: 'sent', errorCode: null, errorMessage: null, waitMs: null } as const;
    return { id: id ?? '', ...outcome, isAttempt: true };
  });
  const second = [...settleValues(lease, settled), AGENCY, CLAIMED];
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${CLAIM}`, second);
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

// A plan of the coordinator does not count what nodes read.
test.skipIf(inject('nodeUrls').length > 0)(
  'a claim reads as few rows of a sub-account that the statistics do not know yet',
  async () => {
    const sending = await startSending();
    await sendingCampaign(sending, await sending.subAccount(), 5_000);
    await sending.database.rows('analyze');
    const few = await pagesRead(sending, 100);
    const many = await pagesRead(sending, 2_000);
    expect(many).toBeLessThan(2 * few);
  },
);
