import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key } from '#core/section.ts';
import { listFilter } from './list-filter.ts';
import { List } from './list.entity.ts';

const schema = request({
  key: key({ description: 'What templates and the command line call the list.' }),
  name: shortText({ description: 'What people read.' }),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'No campaign goes to a list that is not.' }),
  ),
  filter: Type.Optional(
    nullable(
      Type.Unsafe<Static<typeof listFilter>>({
        ...listFilter,
        description:
          'Contacts with all of these tags, in one of these stages; none: a static list.',
      }),
    ),
  ),
});

export const listsSection = defineSection({
  name: 'lists',
  summary: 'Whom campaigns are mailed to.',
  match: 'key',
  schema,
  complete: ({ key, name, active = true, filter = null }) => ({ key, name, active, filter }),
  cautions: (stored, wanted) =>
    stored.filter === null && wanted.filter !== null
      ? [`${wanted.key} was a static list; whom it was given counts no more`]
      : [],
  load: ({ em, subAccountId }) => em.find(List, { subAccountId }, { orderBy: { id: 'asc' } }),
  valueOf: ({ key, name, active, filter }: List) => ({ key, name, active, filter: filter ?? null }),
  idOf: ({ id }) => id,
  async create({ em, subAccountId, now }, wanted) {
    const times = { createdAt: now, updatedAt: now };
    const list = em.create(List, { ...wanted, subAccountId, id: newId(now), ...times });
    em.persist(list);
    // Templates that refer to the list are written after it.
    await em.flush();
    return list;
  },
  update({ em, now }, list, wanted) {
    em.assign(list, { ...wanted, updatedAt: now });
  },
  /** Campaigns of a removed list have none. */
  remove: ({ em }, list) => void em.remove(list),
});
