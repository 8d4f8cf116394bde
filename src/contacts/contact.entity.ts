import { defineEntity, p } from '@mikro-orm/core';
import type { LIFECYCLE_STAGES } from './contact.schema.ts';

export type CustomFields = Record<string, string | number | boolean>;
export type DoNotDisturb = Record<string, boolean>;

const ContactTable = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    firstName: p.text(),
    lastName: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    company: p.text().nullable(),
    title: p.text().nullable(),
    source: p.text().nullable(),
    tags: p.array(),
    lifecycleStage: p.text().$type<(typeof LIFECYCLE_STAGES)[number]>(),
    assignedTo: p.uuid().nullable(),
    additionalEmails: p.array(),
    additionalPhones: p.array(),
    addressLine1: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.text().nullable(),
    dateOfBirth: p.text().nullable(),
    timezone: p.text().nullable(),
    customFields: p.json<CustomFields>(),
    dnd: p.json<DoNotDisturb>(),
    /** Every email and phone number, normalised: suppressions are looked up by these. */
    addresses: p.array(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
    /** The contact that this one was merged into, once it is deleted by a merge. */
    mergedInto: p.uuid().nullable(),
  },
});

export class Contact extends ContactTable.class {}
ContactTable.setClass(Contact);
