import { defineEntity, p } from '@mikro-orm/core';

const ListMemberTable = defineEntity({
  name: 'ListMember',
  tableName: 'list_members',
  properties: {
    subAccountId: p.uuid().primary(),
    listId: p.uuid().primary(),
    contactId: p.uuid().primary(),
    createdAt: p.datetime(),
  },
});

/** A contact on a static list. */
export class ListMember extends ListMemberTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id, list_id) references lists (sub_account_id, id) on delete cascade',
  ];
}
ListMemberTable.setClass(ListMember);
