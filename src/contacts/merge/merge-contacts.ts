import { LockMode } from '@mikro-orm/core';
import { invalidField, notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { emailKeysOf, normalised } from '../claim-addresses.ts';
import { isEmpty } from '../contact-change.ts';
import { Contact } from '../contact.entity.ts';
import { contactMerged } from '../contact.events.ts';
import { WRITABLE_FIELDS, type ContactPatch } from '../contact.schema.ts';
import { customFieldDefinitions, type CustomFieldDefinition } from '../fields/custom-field.ts';
import { valuesThatFit } from '../fields/limit-values.ts';
import { changeContact } from '../update-contact.ts';

/**
 * Merges another contact into the kept one (contract 5), whose fields win. Throws if the kept contact
 * would exceed the limit of tags or addresses: none of them may be lost. Custom values are taken over
 * while they fit, also those of fields that have changed or are gone.
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
  await changeContact(work, kept, patch, {
    heldEmails,
    blamed: '/contactId',
    movedValues: other.customFields,
  });
}

const MOVE_EMAILS = `update contact_emails set contact_id = $2
  where sub_account_id = $1 and email = any($3::text[])`;

/**
 * Contacts that were merged into the other one earlier now point to the kept one. These rows change
 * only under the lock of the contact that they name, so two merges cannot deadlock here.
 */
const SHORTEN_CHAIN = `update contacts set merged_into = $3
  where sub_account_id = $1 and merged_into = $2`;

/** Locks in the order of the ids: two merges of the same pair would otherwise deadlock. */
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
    throw invalidField('/contactId', 'must be another contact than that of the path');
  }
  return { kept, other };
}

/** Returns what the kept contact takes over: missing values, and every address and tag. */
function filledFrom(
  kept: Contact,
  other: Contact,
  definitions: readonly CustomFieldDefinition[],
): ContactPatch {
  const places = new Map(definitions.map(({ name }, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? places.size;
  const missing = Object.entries(other.customFields)
    .filter(([name]) => !Object.hasOwn(kept.customFields, name))
    .toSorted(([one], [another]) => placeOf(one) - placeOf(another));
  const filled = WRITABLE_FIELDS.filter(
    (field) => isEmpty(kept[field]) && !isEmpty(other[field]),
  ).map((field) => [field, other[field]]);
  return {
    ...Object.fromEntries(filled),
    tags: [...kept.tags, ...other.tags],
    additionalEmails: united(kept.additionalEmails, [other.email, ...other.additionalEmails]),
    additionalPhones: united(kept.additionalPhones, [other.phone, ...other.additionalPhones]),
    customFields: valuesThatFit(kept.customFields, Object.fromEntries(missing)),
    // An opt-out of either contact is an opt-out of the person.
    dnd: { ...kept.dnd, ...Object.fromEntries(Object.entries(other.dnd).filter(([, on]) => on)) },
  };
}

function united(kept: readonly string[], others: readonly (string | null | undefined)[]): string[] {
  const known = new Set(kept.map(normalised));
  return [...kept, ...others.flatMap((one) => (one && !known.has(normalised(one)) ? [one] : []))];
}
