import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { LIFECYCLE_STAGES } from './contact.schema.ts';

export type CustomFields = Record<string, string | number | boolean>;
export type DoNotDisturb = Record<string, boolean>;

const ContactTable = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    ...recordKey(),
    firstName: p.text(),
    lastName: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    company: p.text().nullable(),
    title: p.text().nullable(),
    source: p.text().nullable(),
    tags: p.array().defaultRaw("'{}'"),
    lifecycleStage: p.text().$type<(typeof LIFECYCLE_STAGES)[number]>(),
    assignedTo: p.uuid().nullable(),
    additionalEmails: p.array().defaultRaw("'{}'"),
    additionalPhones: p.array().defaultRaw("'{}'"),
    addressLine1: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.text().nullable(),
    dateOfBirth: p.text().nullable(),
    timezone: p.text().nullable(),
    customFields: p.json<CustomFields>().defaultRaw("'{}'"),
    dnd: p.json<DoNotDisturb>().defaultRaw("'{}'"),
    /** Every email and phone number, normalised: suppressions are looked up by these. */
    addresses: p.array().defaultRaw("'{}'"),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** The contact that this one was merged into, once it is deleted by a merge. */
    mergedInto: p.uuid().nullable(),
    /** From 0 to 100. */
    engagementScore: p.integer().nullable(),
    /** Names, email and company in lower case without accents, for searches. */
    searchText: p
      .text()
      .generated(
        `(fold_text(first_name || ' ' || last_name || '\n' || coalesce(email, '') || '\n' || coalesce(company, ''))) stored`,
      )
      .lazy(),
    /** Tags in lower case. */
    tagKeys: p.array().generated('(fold_tags(tags)) stored').lazy(),
  },
});

export class Contact extends ContactTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, assigned_to) references team_members (sub_account_id, id) on delete set null (assigned_to)',
    '(sub_account_id, merged_into) references contacts (sub_account_id, id) deferrable initially deferred',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
ContactTable.setClass(Contact);
