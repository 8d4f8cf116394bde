import { defineEntity, p } from '@mikro-orm/core';
import { manifestEntry, timestamps } from '#platform/database/columns.ts';
import type { ListFilter } from './list-filter.ts';

export const ListTable = defineEntity({
  name: 'List',
  tableName: 'lists',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...manifestEntry(),
    active: p.boolean(),
    /** Null for a static list, whose members are added one by one. */
    filter: p.json<ListFilter>().nullable(),
    ...timestamps(),
  },
});

export class List extends ListTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ListTable.setClass(List);
