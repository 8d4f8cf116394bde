import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const TASK_STATUSES = ['todo', 'in_review', 'completed', 'cancelled'] as const;
export const TASK_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;

const TITLE_MAX = 500;
const DESCRIPTION_MAX = 20_000;

/** The fields that a caller may write, in the order of `changedFields`. */
const writable = {
  title: s.shortText({ maxLength: TITLE_MAX }),
  description: s.nullable(Type.String({ maxLength: DESCRIPTION_MAX })),
  status: s.oneOf(TASK_STATUSES),
  priority: s.oneOf(TASK_PRIORITIES),
  dueDate: s.nullable(s.instant()),
  assignedTo: s.nullable(s.uuid()),
  contactId: s.nullable(s.uuid()),
  dealId: s.nullable(s.uuid()),
};

export const WRITABLE_FIELDS = Object.keys(writable) as readonly (keyof typeof writable)[];

export const taskPatch = s.request(s.partial(writable));
export type TaskPatch = Static<typeof taskPatch>;

export const taskCreate = s.request({ ...s.partial(writable), title: writable.title });
export type TaskCreate = Static<typeof taskCreate>;

/** The task as every endpoint shows it (spec "Task"; the last two are additive). */
export const taskSchema = s.response({
  id: s.uuid(),
  ...writable,
  dueDate: s.nullable(s.epochMs()),
  completedAt: s.nullable(s.epochMs()),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});
