import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { ContactSelection } from '../../contacts/contact-selection.ts';
import type { BulkChange } from './bulk-change.schema.ts';

const ContactBulkChangeTable = defineEntity({
  name: 'ContactBulkChange',
  tableName: 'contact_bulk_changes',
  properties: {
    ...recordKey(),
    status: p.text().$type<'running' | 'done' | 'failed' | 'stopped'>(),
    selection: p.json<ContactSelection>(),
    change: p.json<BulkChange>(),
    /** The email address of the user, and the id of their request. */
    startedBy: p.text(),
    requestId: p.text(),
    /** The last contact of the last batch. */
    reached: p.uuid().nullable(),
    /** Contacts: selected at the start, done with, changed, and those that a limit kept as they were. */
    total: p.integer(),
    processed: p.integer(),
    changed: p.integer(),
    refused: p.integer(),
    error: p.text().nullable(),
    ...timestamps(),
  },
});

/** A change of many contacts at once that a user started. */
export class ContactBulkChange extends ContactBulkChangeTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ContactBulkChangeTable.setClass(ContactBulkChange);
