import { defineMigration } from '#platform/database/migrate/migration.ts';

export const bridgeCampaigns = defineMigration('20261123050000_bridge_campaigns', [
  // The bridge's id of a campaign's mail: its status callbacks name the mail by it.
  `alter table campaign_recipients add column external_id text`,
  `create index campaign_recipients_external on campaign_recipients (sub_account_id, external_id)
   where external_id is not null`,
]);
