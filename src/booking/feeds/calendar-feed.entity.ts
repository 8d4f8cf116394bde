import { defineEntity, p } from '@mikro-orm/core';

const CalendarFeedTable = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feeds',
  properties: {
    subAccountId: p.uuid().primary(),
    /** A calendar or a team member. */
    ownerId: p.uuid().primary(),
    rotation: p.integer(),
  },
});

/** How often the secret address of an iCalendar feed was changed. */
export class CalendarFeed extends CalendarFeedTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
CalendarFeedTable.setClass(CalendarFeed);
