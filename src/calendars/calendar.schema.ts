import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import { CALENDAR_KINDS } from './schedule.ts';

/** A calendar as it is shown (spec "Calendar"): nothing of its customers. */
export const calendarSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  type: s.oneOf(CALENDAR_KINDS),
  timezone: s.timeZone(),
});

/** What can be booked (spec "Appointment type"). */
export const appointmentTypeSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  name: Type.String(),
  duration: Type.Integer({ minimum: 1, description: 'minutes' }),
  slug: Type.String(),
});
