import { defineEntity, p } from '@mikro-orm/core';

const ServiceTypeTable = defineEntity({
  name: 'ServiceType',
  tableName: 'service_types',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    category: p.text().nullable(),
    folder: p.text().nullable(),
    price: p.double(),
    currency: p.text(),
    hasVariablePricing: p.boolean(),
    onSale: p.boolean(),
    /** Position in the price list, from 0. */
    position: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class ServiceType extends ServiceTypeTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ServiceTypeTable.setClass(ServiceType);
