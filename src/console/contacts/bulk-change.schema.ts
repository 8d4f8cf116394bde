import { Type, type Static } from 'typebox';
import { memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { selectionFields } from '../../contacts/contact-selection.ts';

/** Needed until the last contact is changed. */
export const changers = memberScope('contacts:write');

const TAGS_MAX = 20;
const TAG_MAX = 100;

const tags = Type.Optional(
  Type.Array(s.shortText({ maxLength: TAG_MAX }), { minItems: 1, maxItems: TAGS_MAX }),
);

/** What becomes of every selected contact. */
const bulkChange = s.request({
  addTags: tags,
  removeTags: tags,
  assignedTo: Type.Optional(s.nullable(s.uuid())),
});
export type BulkChange = Static<typeof bulkChange>;

export const bulkChangeBody = s.request({ ...selectionFields, change: bulkChange });
export type BulkChangeInput = Static<typeof bulkChangeBody>;

const count = Type.Integer({ minimum: 0 });

export const bulkChangeSchema = s.response({
  id: s.uuid(),
  status: s.oneOf(['running', 'done', 'failed']),
  total: Type.Integer({ minimum: 0, description: 'contacts that were selected at the start' }),
  processed: count,
  changed: count,
  refused: Type.Integer({
    minimum: 0,
    description: 'contacts that would exceed the limit of tags; they stay as they were',
  }),
  error: s.nullable(Type.String({ description: 'why it failed' })),
  createdAt: s.isoTime(),
});
