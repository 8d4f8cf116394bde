import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';

const AppointmentTypeTable = defineEntity({
  name: 'AppointmentType',
  tableName: 'appointment_types',
  uniques: [{ properties: ['subAccountId', 'key'] }],
  properties: {
    ...recordKey(),
    calendarId: p.uuid(),
    key: p.text(),
    name: p.text(),
    slug: p.text(),
    /** Minutes. */
    duration: p.integer(),
    /** Null unless the calendar is a class. */
    seats: p.integer().nullable(),
    /** What the booking pages say about it. */
    description: p.text().nullable(),
    /** In the sub-account's currency. */
    price: p.double().$type<number>().nullable(),
    location: p.text().nullable(),
    /** Shown to those who have booked. */
    videoUrl: p.text().nullable(),
    isActive: p.boolean(),
    position: p.integer(),
    ...timestamps(),
    /** When the manifest removed it. A manifest with the same key restores it. */
    deletedAt: p.datetime().nullable(),
  },
});

export class AppointmentType extends AppointmentTypeTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, calendar_id) references calendars (sub_account_id, id)',
  ];
}
AppointmentTypeTable.setClass(AppointmentType);
