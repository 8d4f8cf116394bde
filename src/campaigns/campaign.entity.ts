import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { CampaignStatus } from './campaign.schema.ts';

export const CampaignTable = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  uniques: [
    {
      properties: ['subAccountId', 'recurringCampaignId', 'scheduledAt'],
      where: 'recurring_campaign_id is not null',
    },
  ],
  properties: {
    ...recordKey(),
    /** Only campaigns by email can be sent. */
    channel: p.text().$type<'email' | 'sms'>(),
    name: p.text(),
    subject: p.text(),
    preheader: p.text().nullable(),
    contentHtml: p.text(),
    layout: p.text(),
    /** The template as it was when the campaign was created. */
    layoutHtml: p.text(),
    listId: p.uuid().nullable(),
    /** The recurring campaign that it is a run of; `scheduledAt` is its tick. */
    recurringCampaignId: p.uuid().nullable(),
    status: p.text().$type<CampaignStatus>(),
    /** The code of the reason while the status is `held`. */
    heldBecause: p.text().nullable(),
    scheduledAt: p.datetime().nullable(),
    /** How many mails a person approved when an agent scheduled it; null otherwise. */
    approvedMails: p.integer().nullable(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    /** When recipients were last claimed; the campaign that has waited longest is next. */
    servedAt: p.datetime(6).nullable(),
    ...timestamps(),
  },
});

export class Campaign extends CampaignTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, list_id) references lists (sub_account_id, id) on delete set null (list_id)',
    '(sub_account_id, recurring_campaign_id) references recurring_campaigns (sub_account_id, id) on delete set null (recurring_campaign_id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
CampaignTable.setClass(Campaign);
