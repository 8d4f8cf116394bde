import { Type, type Static } from 'typebox';
import { oneOf, shortText, request } from '#core/schema/schema.ts';
import { LIFECYCLE_STAGES } from '../../contacts/contact.schema.ts';

const TAGS_MAX = 20;

/** The filter of a dynamic list: contacts with all of the tags, in one of the lifecycle stages. */
export const listFilter = request({
  tags: Type.Optional(Type.Array(shortText(), { minItems: 1, maxItems: TAGS_MAX })),
  lifecycleStage: Type.Optional(
    Type.Array(oneOf(LIFECYCLE_STAGES), { minItems: 1, uniqueItems: true }),
  ),
});

export type ListFilter = Static<typeof listFilter>;

/** Returns SQL conditions on contact `c`. `bind` returns the placeholder of a value. */
export function matching(
  { tags, lifecycleStage }: ListFilter,
  bind: (value: unknown) => string,
): string[] {
  return [
    ...(tags ? [`c.tag_keys <> '{}' and c.tag_keys @> fold_tags(${bind(tags)}::text[])`] : []),
    ...(lifecycleStage ? [`c.lifecycle_stage = any(${bind(lifecycleStage)}::text[])`] : []),
  ];
}
