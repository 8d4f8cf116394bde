import { newId } from '#lib/id.ts';
import { findProgress } from '../../../src/campaigns/delivery/find-progress.ts';
import { expect } from '../../support/service.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  growthOf,
  LINEAR,
  statementsOf,
  testWith,
} from '../../support/unknown-sub-account.ts';

const CAMPAIGN = `insert into campaigns (sub_account_id, id, channel, name, subject, content_html,
    layout, layout_html, status, started_at, created_at, updated_at)
  values ($1, $2, 'email', 'A', 'A', '', 'A', '', 'sending', now(), now(), now())`;
const RECIPIENTS = `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email,
    address, status, settled_at)
  select $1, gen_random_uuid(), $2, id, id::text, id::text, 'sent',
    now() + row_number() over () * interval '1 s'
  from contacts where sub_account_id = $1 limit $3`;

const established: string[] = [];

const test = testWith(async (service, rows) => {
  const subAccountId = await addSubAccount(service);
  await addContacts(service, { subAccountId, rows });
  established.push(subAccountId);
  const campaignOf = async (owner: string) => {
    const campaignId = newId(new Date());
    await service.database.rows(CAMPAIGN, [owner, campaignId]);
    await service.database.rows(RECIPIENTS, [owner, campaignId, rows]);
    return { subAccountId: owner, campaignId, rows };
  };
  return { unknown: await campaignOf(subAccountId), known: await campaignOf(established[0]!) };
});

test.runIf(countsReads).for(['unknown', 'known'] as const)(
  'the progress of a new campaign of a sub-account that is %s reads it a few times',
  async (owner, { running, filled }) => {
    const growth = await growthOf(running, filled, ({ [owner]: campaign }) =>
      statementsOf(async () => {
        const view = running.openView(campaign.subAccountId, new Date());
        const points = await findProgress(view, campaign.campaignId);
        expect(points.at(-1)?.sent).toBe(campaign.rows);
      }),
    );
    expect(growth).toBeLessThan(LINEAR);
  },
);
