import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import { nullable, uuid } from '#core/schema/schema.ts';

export const externalCalendarChanged = internalEvent({
  name: 'member.external_calendar_changed',
  summary: 'the external calendar of a team member changed',
  data: Type.Object({ memberId: uuid() }),
});

/** Emitted before the row is deleted: a slice can refuse, or reassign the member's records. */
export const memberRemoved = internalEvent({
  name: 'member.removed',
  summary: 'a team member is about to be removed',
  data: Type.Object({
    memberId: uuid(),
    memberKey: Type.String(),
    reassignTo: nullable(uuid()),
  }),
});
