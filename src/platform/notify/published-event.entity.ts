import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '../database/columns.ts';

export const PublishedEventTable = defineEntity({
  name: 'PublishedEvent',
  tableName: 'events',
  uniques: [{ properties: ['subAccountId', 'position'], where: 'position is not null' }],
  properties: {
    ...recordKey(),
    /** Null for the test event of a webhook subscription. */
    position: p.bigint('number').nullable(),
    name: p.text(),
    contactId: p.uuid().nullable(),
    data: p.json<object>().columnType('json'),
    occurredAt: p.datetime(),
  },
});

/** An event in the order in which every reader sees it. */
export class PublishedEvent extends PublishedEventTable.class {}
PublishedEventTable.setClass(PublishedEvent);
