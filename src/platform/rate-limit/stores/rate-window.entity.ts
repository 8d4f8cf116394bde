import { defineEntity, p } from '@mikro-orm/core';

const RateWindowTable = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_windows',
  properties: {
    bucket: p.text().collation('C').primary(),
    allowed: p.integer(),
    used: p.integer(),
    /** The part of the latest request's cost that was granted. */
    granted: p.integer(),
    askedAt: p.datetime(6),
    resetsAt: p.datetime(6),
  },
});

/** The current window of a rate limit bucket. */
export class RateWindow extends RateWindowTable.class {}
RateWindowTable.setClass(RateWindow);
