import { LockMode } from '@mikro-orm/core';
import { invalidField, notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { emailKeysOf, normalised } from './addresses.ts';
import { isEmpty } from './contact-change.ts';
import { Contact } from './contact.entity.ts';
import { contactMerged } from './contact.events.ts';
import { WRITABLE_FIELDS, type ContactPatch } from './contact.schema.ts';
import { customFieldDefinitions, type CustomFieldDefinition } from './fields/custom-field.ts';
import { changeContact } from './update-contact.ts';

/**
 * Makes another contact part of this one (contract 5): fields of the kept one win. Throws where the
 * contact would have more tags or addresses than allowed, since none of them may be lost.
 */
export async function mergeContacts(work: Work, keptId: string, otherId: string): Promise<void> {
  const { kept, other } = await lockBoth(work, keptId, otherId);
  const taken = emailKeysOf(other);
  await work.rows(MOVE_EMAILS, [work.subAccountId, keptId, taken]);
  const heldEmails = [...emailKeysOf(kept), ...taken];
  const definitions = await work.cached(customFieldDefinitions);
  const patch = filledFrom(kept, other, definitions);
  other.deletedAt = work.now;
  other.updatedAt = work.now;
  other.mergedInto = keptId;
  await work.rows(SHORTEN_CHAIN, [work.subAccountId, otherId, keptId]);
  work.audit(keptId);
  await work.emit(contactMerged, { contactId: keptId, data: { mergedContactId: otherId } });
  await changeContact(work, kept, patch, { heldEmails, blamed: '/contactId' });
}

const MOVE_EMAILS = `update contact_emails set contact_id = $2
  where sub_account_id = $1 and email = any($3::text[])`;

/**
 * What was merged into the other one before is part of the kept one now. These rows change only under
 * the lock of the contact that they name, so that two merges never wait for each other here.
 */
const SHORTEN_CHAIN = `update contacts set merged_into = $3
  where sub_account_id = $1 and merged_into = $2`;

/** Always in one order, so that two merges of the same pair do not wait for each other for ever. */
async function lockBoth({ em, subAccountId }: Work, keptId: string, otherId: string) {
  const locked = await em.find(
    Contact,
    { subAccountId, id: { $in: [keptId, otherId] }, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  const kept = locked.find(({ id }) => id === keptId);
  const other = locked.find(({ id }) => id === otherId);
  if (!kept) {
    throw notFound('contact');
  }
  if (!other) {
    throw invalidField('/contactId', 'is not a contact of this sub-account');
  }
  if (kept === other) {
    throw invalidField('/contactId', 'is the contact itself');
  }
  return { kept, other };
}

/** What the kept contact takes over: values where it has none, and every address and tag. */
function filledFrom(
  kept: Contact,
  other: Contact,
  definitions: readonly CustomFieldDefinition[],
): ContactPatch {
  const missing = definitions.filter(
    ({ name }) =>
      !Object.hasOwn(kept.customFields, name) && Object.hasOwn(other.customFields, name),
  );
  const filled = WRITABLE_FIELDS.filter(
    (field) => isEmpty(kept[field]) && !isEmpty(other[field]),
  ).map((field) => [field, other[field]]);
  return {
    ...Object.fromEntries(filled),
    tags: [...kept.tags, ...other.tags],
    additionalEmails: united(kept.additionalEmails, [other.email, ...other.additionalEmails]),
    additionalPhones: united(kept.additionalPhones, [other.phone, ...other.additionalPhones]),
    customFields: Object.fromEntries(missing.map(({ name }) => [name, other.customFields[name]])),
    // Who asked not to be disturbed under either name meant himself.
    dnd: { ...kept.dnd, ...Object.fromEntries(Object.entries(other.dnd).filter(([, on]) => on)) },
  };
}

function united(kept: readonly string[], others: readonly (string | null | undefined)[]): string[] {
  const known = new Set(kept.map(normalised));
  return [...kept, ...others.flatMap((one) => (one && !known.has(normalised(one)) ? [one] : []))];
}
