import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

/** The manifest changed a calendar's reminders. */
export const remindersChanged = internalEvent({
  name: 'calendar.reminders_changed',
  summary: 'the reminders of a calendar changed',
  data: Type.Object({ calendarId: s.uuid() }),
});
