import { defineEntity, p } from '@mikro-orm/core';

const ScheduleTickTable = defineEntity({
  name: 'ScheduleTick',
  tableName: 'schedule_ticks',
  properties: {
    job: p.text().primary(),
    tickedAt: p.datetime(),
  },
});

/** The last tick of a periodic job that a worker claimed. */
export class ScheduleTick extends ScheduleTickTable.class {}
ScheduleTickTable.setClass(ScheduleTick);
