import { defineEntity, p } from '@mikro-orm/core';
import type { ListFilter } from './list-filter.ts';

export const ListTable = defineEntity({
  name: 'List',
  tableName: 'lists',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    key: p.text(),
    name: p.text(),
    active: p.boolean(),
    /** Null for a static list, whose members are added one by one. */
    filter: p.json<ListFilter>().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class List extends ListTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ListTable.setClass(List);
