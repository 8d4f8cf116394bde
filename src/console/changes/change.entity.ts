import { defineEntity, p } from '@mikro-orm/core';

const ChangeTable = defineEntity({
  name: 'Change',
  tableName: 'changes',
  properties: {
    subAccountId: p.uuid().primary(),
    /** The transaction: a reader knows by its snapshot which ones it has seen. */
    xid: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()').primary(),
    id: p.uuid().defaultRaw('gen_random_uuid()').primary(),
    topic: p.text(),
    recordId: p.uuid(),
    conversationId: p.uuid().nullable(),
    notedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A record that changed, noted by a trigger in the same transaction. */
export class Change extends ChangeTable.class {}
ChangeTable.setClass(Change);
