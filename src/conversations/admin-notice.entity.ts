import { defineEntity } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const AdminNoticeTable = defineEntity({
  name: 'AdminNotice',
  tableName: 'admin_notices',
  properties: {
    ...recordKey(),
  },
});

/** An email to the admins that was queued, so that a repeated job queues no second one. */
export class AdminNotice extends AdminNoticeTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
AdminNoticeTable.setClass(AdminNotice);
