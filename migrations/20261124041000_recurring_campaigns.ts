import { defineMigration } from '#platform/database/migrate/migration.ts';

export const recurringCampaigns = defineMigration('20261124041000_recurring_campaigns', [
  // next_at is the next tick in planned_zone; null if there is none. last_error is the code of why the
  // last tick made no campaign.
  `create table recurring_campaigns (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    list_id uuid,
    template_id uuid,
    subject text not null,
    preheader text,
    content text not null,
    repeat text not null,
    timezone text,
    active boolean not null,
    planned_zone text not null,
    next_at timestamptz(3),
    last_tick_at timestamptz(3),
    last_error text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key),
    foreign key (sub_account_id, list_id) references lists (sub_account_id, id)
      on delete set null (list_id),
    foreign key (sub_account_id, template_id) references mail_templates (sub_account_id, id)
      on delete set null (template_id)
  )`,
  `create index recurring_campaigns_due on recurring_campaigns (next_at) where active`,
  `alter table campaigns add column recurring_campaign_id uuid,
    add constraint campaigns_recurring_fkey foreign key (sub_account_id, recurring_campaign_id)
      references recurring_campaigns (sub_account_id, id) on delete set null (recurring_campaign_id)`,
  // A tick makes one campaign.
  `create unique index campaigns_once_per_tick
   on campaigns (sub_account_id, recurring_campaign_id, scheduled_at)
   where recurring_campaign_id is not null`,
]);
