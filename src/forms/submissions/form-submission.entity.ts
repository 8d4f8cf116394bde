import { defineEntity, p } from '@mikro-orm/core';

export const FormSubmissionTable = defineEntity({
  name: 'FormSubmission',
  tableName: 'form_submissions',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
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
