import { defineEntity, p } from '@mikro-orm/core';

const ContactEmailTable = defineEntity({
  name: 'ContactEmail',
  tableName: 'contact_emails',
  properties: {
    subAccountId: p.uuid().primary(),
    email: p.text().primary(),
    contactId: p.uuid(),
  },
});

/** An email address of a live contact; the primary key keeps two contacts from sharing one. */
export class ContactEmail extends ContactEmailTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
  ];
}
ContactEmailTable.setClass(ContactEmail);
