import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { ContactFilter } from '../../contacts/find-contacts.ts';

const ContactViewTable = defineEntity({
  name: 'ContactView',
  tableName: 'contact_views',
  uniques: [{ name: 'contact_views_name', properties: ['subAccountId', 'userId', 'name'] }],
  properties: {
    ...recordKey(),
    /** A user of the installation. */
    userId: p.uuid(),
    /** Null: the list of all contacts. */
    name: p.text().nullable(),
    filter: p.json<ContactFilter>(),
    /** Fields, or `custom.` and the name of a custom field. */
    columns: p.array(),
    ...timestamps(),
  },
});

/** How a user lists contacts. */
export class ContactView extends ContactViewTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ContactViewTable.setClass(ContactView);
