import { Type } from 'typebox';
import { internalEvent, webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

const text = s.nullable(Type.String());

const fields = {
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  company: text,
};

export const contactCreated = webhookEvent({
  name: 'contact.created',
  summary: 'a contact was created',
  data: Type.Object({
    ...fields,
    source: text,
    tags: Type.Array(Type.String()),
    lifecycleStage: text,
  }),
});

export const contactUpdated = webhookEvent({
  name: 'contact.updated',
  summary: 'a contact was changed',
  data: Type.Object({ ...fields, lifecycleStage: text }),
});

export const contactLifecycleChanged = webhookEvent({
  name: 'contact.lifecycle_changed',
  summary: 'the lifecycle stage of a contact changed',
  data: Type.Object({ newStage: Type.String(), previousStage: Type.String() }),
});

export const contactTagAdded = webhookEvent({
  name: 'contact.tag_added',
  summary: 'a tag was added to a contact; one event per tag',
  data: Type.Object({ tagName: Type.String() }),
});

/** Other slices react: they end the contact's tasks, appointments, conversations and workflow runs. */
export const contactDeleted = internalEvent({
  name: 'contact.deleted',
  summary: 'a contact was deleted',
  data: Type.Object({}),
});

/** Other slices react: they move the merged contact's records to the kept one. */
export const contactMerged = internalEvent({
  name: 'contact.merged',
  summary: 'another contact was merged into this one',
  data: Type.Object({ mergedContactId: Type.String() }),
});
