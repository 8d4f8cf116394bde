import { defineEntity, p } from '@mikro-orm/core';

/** What an address may be closed to; `email` and `sms` have senders that can be told to stop. */
export type OptOutChannel = 'email' | 'sms';

const OptOutTable = defineEntity({
  name: 'OptOut',
  tableName: 'opt_outs',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    channel: p.text().$type<OptOutChannel>(),
    /** Normalised, so that a contact finds it by any spelling. */
    address: p.text(),
    reason: p.text(),
    createdAt: p.datetime(),
  },
});

/** A line of the consent ledger: it belongs to an address and outlives every contact. */
export class OptOut extends OptOutTable.class {}
OptOutTable.setClass(OptOut);
