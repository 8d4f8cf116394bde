import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import { nullable, uuid } from '#core/schema/schema.ts';

/** A team member keeps another external calendar than before, or none any more. */
export const externalCalendarChanged = internalEvent({
  name: 'member.external_calendar_changed',
  summary: 'a team member keeps another external calendar',
  data: Type.Object({ memberId: uuid() }),
});

/** Announced before the row goes, so that a slice can refuse or take over what hangs on it. */
export const memberRemoved = internalEvent({
  name: 'member.removed',
  summary: 'a team member is about to be removed',
  data: Type.Object({
    memberId: uuid(),
    memberKey: Type.String(),
    reassignTo: nullable(uuid()),
  }),
});
