import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { EstimateStatus } from './estimate.schema.ts';

const EstimateTable = defineEntity({
  name: 'Estimate',
  tableName: 'estimates',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...recordKey(),
    key: p.text(),
    contactId: p.uuid(),
    /** The address by which the manifest names the contact. */
    contactEmail: p.text(),
    /** The number that the customer sees. */
    number: p.text(),
    status: p.text().$type<EstimateStatus>(),
    isApproved: p.boolean(),
    total: p.double(),
    currency: p.text(),
    validUntil: p.datetime().nullable(),
    approvedAt: p.datetime().nullable(),
    ...timestamps(),
  },
});

export class Estimate extends EstimateTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
EstimateTable.setClass(Estimate);
