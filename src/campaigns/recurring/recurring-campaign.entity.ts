import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';

export const RecurringCampaignTable = defineEntity({
  name: 'RecurringCampaign',
  tableName: 'recurring_campaigns',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    /** Null once the list was removed. */
    listId: p.uuid().nullable(),
    /** Null once the template was removed. */
    templateId: p.uuid().nullable(),
    subject: p.text(),
    preheader: p.text().nullable(),
    content: p.text(),
    /** A cron expression of five fields. */
    repeat: p.text(),
    /** Null means the time zone of the sub-account. */
    timezone: p.text().nullable(),
    active: p.boolean(),
    /** The time zone that `nextAt` was computed in. */
    plannedZone: p.text(),
    nextAt: p.datetime().nullable(),
    lastTickAt: p.datetime().nullable(),
    /** The code of why the last tick made no campaign. */
    lastError: p.text().nullable(),
    ...timestamps(),
  },
});

export class RecurringCampaign extends RecurringCampaignTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, list_id) references lists (sub_account_id, id) on delete set null (list_id)',
    '(sub_account_id, template_id) references mail_templates (sub_account_id, id) on delete set null (template_id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
RecurringCampaignTable.setClass(RecurringCampaign);
