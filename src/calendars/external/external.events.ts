import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

/** The event of an appointment was deleted in a member's external calendar. */
export const eventDeletedOutside = internalEvent({
  name: 'external_calendar.hold_deleted',
  summary: 'the event of an appointment was deleted in an external calendar',
  data: Type.Object({
    appointmentId: s.uuid(),
    deletedOutside: s.oneOf(['keep', 'cancel']),
  }),
});
