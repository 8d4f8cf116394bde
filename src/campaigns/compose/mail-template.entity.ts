import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';

export const MailTemplateTable = defineEntity({
  name: 'MailTemplate',
  tableName: 'mail_templates',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...recordKey(),
    key: p.text(),
    /** Campaigns refer to their layout by name. If several have it, the latest change wins. */
    name: p.text(),
    html: p.text(),
    defaultListId: p.uuid().nullable(),
    ...timestamps(),
  },
});

export class MailTemplate extends MailTemplateTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, default_list_id) references lists (sub_account_id, id) on delete set null (default_list_id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
MailTemplateTable.setClass(MailTemplate);
