import { defineEntity, p } from '@mikro-orm/core';
import type { FormField } from './form-entry.ts';

export const FormTable = defineEntity({
  name: 'Form',
  tableName: 'forms',
  uniques: [{ properties: ['subAccountId', 'key'], where: 'deleted_at is null' }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    captcha: p.boolean(),
    /** Shown after a submission, unless the form redirects. */
    message: p.text().nullable(),
    redirectUrl: p.text().nullable(),
    fields: p.json<FormField[]>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
});

export class Form extends FormTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
FormTable.setClass(Form);
