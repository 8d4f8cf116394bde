import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

/** The channels on which recipients can opt out. */
export type OptOutChannel = 'email' | 'sms';

const OptOutTable = defineEntity({
  name: 'OptOut',
  tableName: 'opt_outs',
  uniques: [{ properties: ['subAccountId', 'address', 'channel'] }],
  properties: {
    ...recordKey(),
    channel: p.text().$type<OptOutChannel>(),
    /** Normalised, so that every spelling matches. */
    address: p.text(),
    reason: p.text(),
    createdAt: p.datetime(),
  },
});

/** A suppression belongs to an address and outlives every contact. */
export class OptOut extends OptOutTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
OptOutTable.setClass(OptOut);
