import { defineEntity, p } from '@mikro-orm/core';

const RowCountTable = defineEntity({
  name: 'RowCount',
  tableName: 'tallies',
  properties: {
    subAccountId: p.uuid().primary(),
    /** The counted table. */
    noun: p.text().primary(),
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    difference: p.bigint('number'),
  },
});

/** A difference in the number of rows of a table; the sum is the count. */
export class RowCount extends RowCountTable.class {}
RowCountTable.setClass(RowCount);
