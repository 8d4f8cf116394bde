import { internalEvent } from '#kit/event.ts';
import { uuid } from '#kit/schema.ts';
import { Type } from '#kit/type.ts';

/** A team member keeps another external calendar than before, or none any more. */
export const externalCalendarChanged = internalEvent({
  name: 'member.external_calendar_changed',
  summary: 'a team member keeps another external calendar',
  data: Type.Object({ memberId: uuid() }),
});
