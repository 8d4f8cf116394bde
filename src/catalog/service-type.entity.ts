import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';

const ServiceTypeTable = defineEntity({
  name: 'ServiceType',
  tableName: 'service_types',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    description: p.text().nullable(),
    category: p.text().nullable(),
    folder: p.text().nullable(),
    price: p.double(),
    currency: p.text(),
    hasVariablePricing: p.boolean(),
    onSale: p.boolean(),
    /** Position in the price list, from 0. */
    position: p.integer(),
    ...timestamps(),
  },
});

export class ServiceType extends ServiceTypeTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ServiceTypeTable.setClass(ServiceType);
