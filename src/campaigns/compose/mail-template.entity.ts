import { defineEntity, p } from '@mikro-orm/core';

const MailTemplateTable = defineEntity({
  name: 'MailTemplate',
  tableName: 'mail_templates',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    /** By which campaigns name their layout; of several the one changed last is meant. */
    name: p.text(),
    html: p.text(),
    defaultListId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class MailTemplate extends MailTemplateTable.class {}
MailTemplateTable.setClass(MailTemplate);
