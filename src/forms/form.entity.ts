import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';
import type { FormField } from './form-entry.ts';

export const FormTable = defineEntity({
  name: 'Form',
  tableName: 'forms',
  uniques: [{ properties: ['subAccountId', 'key'], where: 'deleted_at is null' }],
  properties: {
    ...manifestEntry(),
    captcha: p.boolean(),
    /** Shown after a submission, unless the form redirects. */
    message: p.text().nullable(),
    redirectUrl: p.text().nullable(),
    fields: p.json<FormField[]>(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
  },
});

export class Form extends FormTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
FormTable.setClass(Form);
