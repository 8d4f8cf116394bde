import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '../columns.ts';

const OutboxEventTable = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox',
  properties: {
    ...recordKey(),
    name: p.text(),
    contactId: p.uuid().nullable(),
    data: p.json<object>().columnType('json'),
    occurredAt: p.datetime(),
    /** The database's time, which orders the changes of a record. */
    writtenAt: p.datetime().columnType('timestamptz(6)').nullable().defaultRaw('clock_timestamp()'),
  },
});

/** An event that is committed and not yet published. The table has no key: rows live for milliseconds. */
export class OutboxEvent extends OutboxEventTable.class {}
OutboxEventTable.setClass(OutboxEvent);
