import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

export const FormSubmissionTable = defineEntity({
  name: 'FormSubmission',
  tableName: 'form_submissions',
  properties: {
    ...recordKey(),
    formId: p.uuid(),
    contactId: p.uuid().nullable(),
    fields: p.json<Record<string, unknown>>(),
    pageUrl: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

export class FormSubmission extends FormSubmissionTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id, form_id) references forms (sub_account_id, id)',
  ];
}
FormSubmissionTable.setClass(FormSubmission);
