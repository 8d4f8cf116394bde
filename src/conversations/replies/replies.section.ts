import type { Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { shortText, request } from '#core/schema/schema.ts';
import { defineSection, key } from '#core/section.ts';
import { mergeFieldCautions } from '../../contacts/merge-field-cautions.ts';
import { SavedReply } from './saved-reply.entity.ts';

/** The longest text of a message. */
const BODY_MAX = 100_000;

const schema = request({
  key: key(),
  name: shortText({ description: 'The name in the list of saved replies.' }),
  body: shortText({
    maxLength: BODY_MAX,
    description: 'The text, with merge fields that are resolved when it is sent.',
  }),
});

export const repliesSection = defineSection({
  name: 'replies',
  summary: 'Texts that the team inserts into its replies.',
  match: 'key',
  schema,
  complete: ({ key, name, body }: Static<typeof schema>) => ({ key, name, body }),
  cautionsAbroad: (work, { key, body }) =>
    mergeFieldCautions(work, { entry: key, texts: { '/body': body } }),
  load: ({ em, subAccountId }) => em.find(SavedReply, { subAccountId }, { orderBy: { id: 'asc' } }),
  valueOf: ({ key, name, body }: SavedReply) => ({ key, name, body }),
  idOf: ({ id }) => id,
  create({ em, subAccountId, now }, wanted) {
    const times = { createdAt: now, updatedAt: now };
    const reply = em.create(SavedReply, { ...wanted, subAccountId, id: newId(now), ...times });
    em.persist(reply);
    return reply;
  },
  update({ em, now }, reply, wanted) {
    em.assign(reply, { ...wanted, updatedAt: now });
  },
  remove: ({ em }, reply) => void em.remove(reply),
});
