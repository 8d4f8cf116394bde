import { internalEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

/** Other reminders than before go out of a calendar. */
export const remindersChanged = internalEvent({
  name: 'calendar.reminders_changed',
  summary: 'a calendar reminds of its appointments at other times',
  data: Type.Object({ calendarId: s.uuid() }),
});
