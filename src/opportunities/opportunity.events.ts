import { Type } from 'typebox';
import { webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

const ids = { opportunityId: s.uuid(), pipelineId: s.uuid() };

/** The member is `title` in some events and `name` in others (spec "Event catalog"). */
const name = Type.String({
  description: "the opportunity's name",
  examples: ['Implant, Lovelace'],
});
const value = s.nullable(Type.Number({ examples: [1200] }));

export const opportunityCreated = webhookEvent({
  name: 'opportunity.created',
  summary: 'an opportunity was created',
  data: Type.Object({ ...ids, stageId: s.uuid(), title: name, value }),
});

export const opportunityUpdated = webhookEvent({
  name: 'opportunity.updated',
  summary: "an opportunity's fields or its status changed",
  data: Type.Object({
    ...ids,
    name,
    value,
    status: s.oneOf(['open', 'won', 'lost', 'abandoned']),
    changedFields: Type.Array(Type.String(), { examples: [['value']] }),
  }),
});

export const opportunityStageChanged = webhookEvent({
  name: 'opportunity.stage_changed',
  summary: 'an opportunity moved to another stage of its pipeline',
  data: Type.Object({ ...ids, fromStageId: s.uuid(), toStageId: s.uuid(), title: name }),
});

export const opportunityWon = webhookEvent({
  name: 'opportunity.won',
  summary:
    'an opportunity was marked as won by an operator; the API fires `opportunity.updated` instead',
  data: Type.Object({ ...ids, title: name, value }),
});

export const opportunityLost = webhookEvent({
  name: 'opportunity.lost',
  summary:
    'an opportunity was marked as lost by an operator; the API fires `opportunity.updated` instead',
  data: Type.Object({
    ...ids,
    title: name,
    value,
    lostReason: s.nullable(Type.String({ examples: ['too expensive'] })),
  }),
});

export const opportunityDeleted = webhookEvent({
  name: 'opportunity.deleted',
  summary: 'an opportunity was deleted',
  data: Type.Object({ ...ids, name }),
});
