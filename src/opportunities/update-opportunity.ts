import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { lockReferredContact } from '../contacts/contact.store.ts';
import { dedupeTags } from '../contacts/contact-change.ts';
import { recordUpdate, lockOpportunity, mergedFreeFields } from './opportunity.store.ts';
import type { Opportunity } from './opportunity.entity.ts';
import { WRITABLE_FIELDS, type OpportunityPatch } from './opportunity.schema.ts';

/** Changes the given fields only. If nothing differs, nothing is written or emitted. */
export async function updateOpportunity(
  work: Work,
  id: string,
  patch: OpportunityPatch,
): Promise<void> {
  const opportunity = await lockOpportunity(work, id);
  const after = fieldsAfter(opportunity, patch);
  const changedFields = WRITABLE_FIELDS.filter(
    (field) => !isSame(opportunity[field], after[field]),
  );
  if (changedFields.length === 0) {
    return;
  }
  if (changedFields.includes('contactId')) {
    await requireContact(work, after.contactId);
  }
  Object.assign(opportunity, after);
  refuseUnknownAssignee(work, 'opportunities');
  await recordUpdate(work, opportunity, changedFields);
}

type WritableFields = Pick<Opportunity, (typeof WRITABLE_FIELDS)[number]>;

function fieldsAfter(opportunity: Opportunity, patch: OpportunityPatch): WritableFields {
  const { tags, customFields, ...fields } = patch;
  const before = Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, opportunity[field]]));
  return {
    ...(before as WritableFields),
    ...fields,
    tags: tags ? dedupeTags(opportunity.tags, tags) : opportunity.tags,
    customFields: mergedFreeFields(opportunity.customFields, customFields),
  };
}

/** Compares deeply: PostgreSQL does not keep the order of an object's members. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || isDeepStrictEqual(before ?? null, after ?? null);

async function requireContact(work: Work, contactId: string): Promise<void> {
  if (!(await lockReferredContact(work, contactId))) {
    throw invalidField('/contactId', 'is not a contact of this sub-account');
  }
}
