import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { OptOutChannel } from './opt-out.entity.ts';

const ErasedOptOutTable = defineEntity({
  name: 'ErasedOptOut',
  tableName: 'erased_opt_outs',
  uniques: [{ properties: ['subAccountId', 'addressHash', 'channel'] }],
  properties: {
    ...recordKey(),
    channel: p.text().$type<OptOutChannel>(),
    /** Of the address and the sub-account's `erasure_key`. */
    addressHash: p.blob(),
    reason: p.text(),
    createdAt: p.datetime(),
  },
});

/** A suppression of an address that was erased. */
export class ErasedOptOut extends ErasedOptOutTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ErasedOptOutTable.setClass(ErasedOptOut);
