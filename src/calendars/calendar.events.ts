import { internalEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

/** The manifest changed a calendar's reminders. */
export const remindersChanged = internalEvent({
  name: 'calendar.reminders_changed',
  summary: 'the reminders of a calendar changed',
  data: Type.Object({ calendarId: s.uuid() }),
});
