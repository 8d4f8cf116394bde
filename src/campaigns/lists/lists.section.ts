import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key } from '#core/section.ts';
import { listFilter } from './list-filter.ts';
import { List } from './list.entity.ts';

const schema = request({
  key: key({ description: 'The key by which templates and the command line refer to the list.' }),
  name: shortText({ description: 'The display name.' }),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'Campaigns are only sent to active lists.' }),
  ),
  filter: Type.Optional(
    nullable(
      Type.Unsafe<Static<typeof listFilter>>({
        ...listFilter,
        description:
          'Selects the contacts with all of these tags, in one of these stages. Null makes a static list.',
      }),
    ),
  ),
});

export const listsSection = defineSection({
  name: 'lists',
  summary: 'Mailing lists: the audiences of campaigns.',
  match: 'key',
  schema,
  complete: ({ key, name, active = true, filter = null }) => ({ key, name, active, filter }),
  cautions: (stored, wanted) =>
    stored.filter === null && wanted.filter !== null
      ? [`${wanted.key} becomes dynamic: the contacts that were added to it no longer count`]
      : [],
  load: ({ em, subAccountId }) => em.find(List, { subAccountId }, { orderBy: { id: 'asc' } }),
  valueOf: ({ key, name, active, filter }: List) => ({ key, name, active, filter: filter ?? null }),
  idOf: ({ id }) => id,
  create({ em, subAccountId, now }, wanted) {
    const times = { createdAt: now, updatedAt: now };
    const list = em.create(List, { ...wanted, subAccountId, id: newId(now), ...times });
    em.persist(list);
    return list;
  },
  update({ em, now }, list, wanted) {
    em.assign(list, { ...wanted, updatedAt: now });
  },
  /** Its campaigns keep no list. */
  remove: ({ em }, list) => void em.remove(list),
});
