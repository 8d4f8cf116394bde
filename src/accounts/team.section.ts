import { Type } from 'typebox';
import { newId } from '#kit/id.ts';
import { email, nullable, shortText, strict } from '#kit/schema.ts';
import { defineSection, key } from '#kit/section.ts';
import { TeamMember } from './team-member.entity.ts';

/** Removing a member leaves the contacts assigned to them assigned to nobody (foreign key). */
export const teamSection = defineSection({
  name: 'team',
  summary: 'The people that contacts are assigned to and calendars belong to.',
  match: 'key',
  schema: strict({
    key: key({ description: 'What the rest of the manifest calls the member.' }),
    name: shortText({ description: 'What customers read.' }),
    email: Type.Optional(nullable(email({ description: 'Where the member is written to.' }))),
  }),
  complete: (given) => ({ email: null, ...given }),
  load: ({ em, subAccountId }) => em.find(TeamMember, { subAccountId }, { orderBy: { id: 'asc' } }),
  valueOf: ({ key, name, email }: TeamMember) => ({ key, name, email }),
  idOf: ({ id }) => id,
  create({ em, subAccountId, now }, wanted) {
    const id = newId(now);
    const member = em.create(TeamMember, {
      ...wanted,
      subAccountId,
      id,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(member);
    return member;
  },
  update({ em, now }, member, wanted) {
    em.assign(member, { ...wanted, updatedAt: now });
  },
  remove({ em }, member) {
    em.remove(member);
  },
});
