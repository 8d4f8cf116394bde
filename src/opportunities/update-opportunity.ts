import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { dedupeTags } from '../contacts/rows/tags.ts';
import { announceUpdate } from './announce-update.ts';
import { mergedFreeFields } from './free-fields.ts';
import { lockOpportunity } from './lock-opportunity.ts';
import type { Opportunity } from './opportunity.entity.ts';
import { WRITABLE_FIELDS, type OpportunityPatch } from './opportunity.schema.ts';

/** Changes only the fields given; where nothing comes out different, nothing is written or fired. */
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
    await lockContact(work, after.contactId);
  }
  Object.assign(opportunity, after);
  refuseUnknownAssignee(work, 'opportunities');
  await announceUpdate(work, opportunity, changedFields);
}

type WritableFields = Pick<Opportunity, (typeof WRITABLE_FIELDS)[number]>;

function fieldsAfter(opportunity: Opportunity, patch: OpportunityPatch): WritableFields {
  const { tags, customFields, ...given } = patch;
  const before = Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, opportunity[field]]));
  return {
    ...(before as WritableFields),
    ...given,
    tags: tags ? dedupeTags(opportunity.tags, tags) : opportunity.tags,
    customFields: mergedFreeFields(opportunity.customFields, customFields),
  };
}

/** Lists and objects by what they hold; PostgreSQL keeps no order of an object's members. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || isDeepStrictEqual(before ?? null, after ?? null);

async function lockContact(work: Work, contactId: string): Promise<void> {
  const [found] = await work.rows(LOCK_CONTACT, [work.subAccountId, contactId]);
  if (!found) {
    throw invalidField('/contactId', 'is not a contact of this sub-account');
  }
}

/** Against merging and deletion, until the opportunity belongs to it. */
const LOCK_CONTACT = `select 1 from contacts
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;
