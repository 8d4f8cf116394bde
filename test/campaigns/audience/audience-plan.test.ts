import { newId } from '#lib/id.ts';
import {
  countMails,
  findLeftOut,
  previewAudience,
} from '../../../src/campaigns/audience/preview-audience.ts';
import { resolveAudience } from '../../../src/campaigns/audience/resolve-audience.ts';
import { findPreviewContacts } from '../../../src/campaigns/compose/preview-for-audience.ts';
import { expect } from '../../support/service.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  growthOf,
  LINEAR,
  statementsOf,
  statementsOfChange,
  testWith,
} from '../../support/unknown-sub-account.ts';

const LIST = `insert into lists (sub_account_id, id, key, name, active, filter, created_at, updated_at)
  values ($1, $2, $2::uuid::text, 'A', true, $3::jsonb, now(), now())`;
const MEMBERS = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select $1, $2, id, now() from contacts where sub_account_id = $1`;
const CAMPAIGN = `insert into campaigns (sub_account_id, id, channel, name, subject, content_html,
    layout, layout_html, list_id, status, started_at, created_at, updated_at)
  values ($1, $2, 'email', 'A', 'A', '', 'A', '', $3, $4, now(), now(), now())`;
const RECIPIENTS = `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email,
    address, status)
  select $1, gen_random_uuid(), $2, id, email, email, 'sent' from contacts where sub_account_id = $1`;
const OPT_OUTS = `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
  select $1, gen_random_uuid(), 'email', n || '@elsewhere.example', 'bounce', now()
  from generate_series(1, $2::int) as n`;

type Service = Parameters<typeof addSubAccount>[0];

async function addCampaign({ database }: Service, subAccountId: string, filter: object | null) {
  const [listId, campaignId, draftId] = Array.from({ length: 3 }, () => newId(new Date()));
  await database.rows(LIST, [subAccountId, listId, filter && JSON.stringify(filter)]);
  if (!filter) {
    await database.rows(MEMBERS, [subAccountId, listId]);
  }
  await database.rows(CAMPAIGN, [subAccountId, campaignId, listId, 'sending']);
  await database.rows(CAMPAIGN, [subAccountId, draftId, listId, 'draft']);
  await database.rows(RECIPIENTS, [subAccountId, campaignId]);
  return { list: { id: listId!, filter }, campaignId: campaignId!, draftId: draftId! };
}

const test = testWith(async (service, rows) => {
  const subAccountId = await addSubAccount(service);
  const columns = {
    email: `n || '@example.com'`,
    addresses: `array[n || '@example.com']`,
  };
  await addContacts(service, { subAccountId, rows, columns });
  await service.database.rows(OPT_OUTS, [subAccountId, rows]);
  const dynamic = await addCampaign(service, subAccountId, { lifecycleStage: ['lead'] });
  const fixed = await addCampaign(service, subAccountId, null);
  return { subAccountId, rows, dynamic, static: fixed };
});

for (const kind of ['dynamic', 'static'] as const) {
  test.runIf(countsReads)(
    `a preview of a ${kind} list of an unknown sub-account reads it a few times at most`,
    async ({ running, filled }) => {
      const growth = await growthOf(running, filled, ({ subAccountId, rows, [kind]: one }) =>
        statementsOf(async () => {
          const view = running.openView(subAccountId, new Date());
          const { contacts, mails } = await previewAudience(view, one.list.id);
          expect([contacts, mails]).toEqual([rows, rows]);
          expect(await countMails(view, { id: one.draftId })).toEqual({ mails: rows });
          await findPreviewContacts(view, one.list.id);
        }),
      );
      expect(growth).toBeLessThan(LINEAR);
    },
  );

  test.runIf(countsReads)(
    `so does the start of a campaign to a ${kind} list`,
    async ({ running, filled }) => {
      const growth = await growthOf(running, filled, ({ subAccountId, rows, [kind]: one }) =>
        statementsOfChange(running, subAccountId, async (work) => {
          expect(await resolveAudience(work, one.draftId, one.list)).toBe(rows);
        }),
      );
      expect(growth).toBeLessThan(LINEAR);
    },
  );

  test.runIf(countsReads)(
    `and the contacts that it left out of a ${kind} list`,
    async ({ running, filled }) => {
      const growth = await growthOf(running, filled, ({ subAccountId, [kind]: one }) =>
        statementsOf(async () => {
          const view = running.openView(subAccountId, new Date());
          const { examples } = await findLeftOut(view, one.campaignId);
          expect(examples).toEqual([]);
        }),
      );
      expect(growth).toBeLessThan(LINEAR);
    },
  );
}
