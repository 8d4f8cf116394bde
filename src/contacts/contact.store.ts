import { recordSchema } from '#core/schema/record.ts';
import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { answerOf, readerOf, lockerOf } from '#platform/database/live-records.ts';
import { contactSchema } from './contact.schema.ts';
import { Contact } from './contact.entity.ts';
import type { MergeValues } from '#lib/merge-fields.ts';

/** Opt-outs of the contact's addresses count as its own (contract 5). */
const DND = `c.dnd || coalesce((
  select jsonb_object_agg(o.channel, true) from opt_outs o
  where o.sub_account_id = $1 and o.address = any(c.addresses)), '{}')`;

/** Contact `c` that is just inserted, as every endpoint shows it: Citus accepts no subquery there. */
export const insertedContact = recordSchema(contactSchema, 'c', {
  dnd: `c.dnd || opted_out_channels(c.sub_account_id, c.addresses)`,
});

/** The same of contacts of sub-account `$1`: without any opt-outs there, none is looked up per row. */
const contactRecord = recordSchema(contactSchema, 'c', {
  dnd: `case when exists (select from opt_outs where sub_account_id = $1) then ${DND} else c.dnd end`,
});

const contacts = { table: 'contacts', alias: 'c' } as const;

export const liveContacts = { ...contacts, record: contactRecord };

/** Selects the name of the contact that a row refers to. */
export const contactNameOf = (
  alias: string,
): string => `(select trim(c.first_name || ' ' || c.last_name) from contacts c
  where c.sub_account_id = $1 and c.id = ${alias}.contact_id)`;

export const readContact = readerOf('contact', liveContacts);
export const theContact = answerOf(readContact);

/** Returns the live contact, locked against every other writer. Throws `NOT_FOUND`. */
export const lockContact = lockerOf<Contact>('contact', Contact);

/**
 * Locks a live contact against merging and deletion, for a record that is about to refer to it.
 * Returns its tags, or undefined for an unknown, deleted or foreign contact.
 */
export async function lockReferredContact(
  work: Work,
  id: string,
): Promise<{ readonly tags: readonly string[] } | undefined> {
  const [contact] = await work.rows<{ tags: string[] }>(LOCK_REFERRED, [work.subAccountId, id]);
  return contact;
}

const LOCK_REFERRED = `select tags from contacts
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

/**
 * Locks contacts against deletion and merging until the work is done. Returns the live contact for
 * each id: itself, or the one it was merged into. Deleted and unknown contacts are missing.
 */
export async function lockCurrentContacts(
  work: Work,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const current = new Map<string, string>();
  let pending = [...new Set(ids)];
  while (pending.length > 0) {
    const resolved = await work.rows<ResolvedRow>(RESOLVE, [work.subAccountId, pending]);
    const targets = [...new Set(resolved.map(({ currentId }) => currentId))];
    const locked = await lockLiveContacts(work, targets);
    for (const { id, currentId } of resolved.filter((row) => locked.has(row.currentId))) {
      current.set(id, currentId);
    }
    // A contact that was merged while its lock was awaited is resolved again.
    const missed = resolved.filter(({ id }) => !current.has(id));
    pending = await mergedMeanwhile(work, missed);
  }
  return current;
}

interface ResolvedRow {
  readonly id: string;
  readonly currentId: string;
}

const RESOLVE = `select id, coalesce(merged_into, id) as "currentId" from contacts
  where sub_account_id = $1 and id = any($2::uuid[])`;

/** Locks the live ones of these contacts against merging and deletion, and returns their ids. */
export async function lockLiveContacts(
  work: Work,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const unique = [...new Set(ids)];
  const rows =
    unique.length === 0
      ? []
      : await work.rows<{ id: string }>(LOCK_LIVE, [work.subAccountId, unique]);
  return new Set(rows.map(({ id }) => id));
}

/** In the order in which merges lock contacts: in any other, the two would deadlock. */
const LOCK_LIVE = `select id from contacts
  where sub_account_id = $1 and id = any($2::uuid[]) and deleted_at is null
  order by id for key share`;

/** Returns the contacts that a merge has changed since they were resolved; the others are deleted. */
async function mergedMeanwhile(work: Work, missed: readonly ResolvedRow[]): Promise<string[]> {
  if (missed.length === 0) {
    return [];
  }
  const ids = missed.map(({ id }) => id);
  const now = await work.rows<ResolvedRow>(RESOLVE, [work.subAccountId, ids]);
  const before = new Map(missed.map(({ id, currentId }) => [id, currentId]));
  return now.flatMap(({ id, currentId }) => (before.get(id) === currentId ? [] : [id]));
}

/** Returns the contact of another slice's event: its id and its current tags. */
export async function aboutContact(
  work: Work,
  contactId: string | null,
): Promise<Pick<Occurrence<object>, 'contactId' | 'tags'>> {
  if (contactId === null) {
    return { contactId };
  }
  const [contact] = await work.rows<{ tags: string[] }>(TAGS, [work.subAccountId, contactId]);
  return { contactId, tags: contact?.tags ?? [] };
}

const TAGS = 'select tags from contacts where sub_account_id = $1 and id = $2';

export type Mergeable = Pick<Contact, 'firstName' | 'lastName' | 'email' | 'phone' | 'company'>;

/** The first name of a contact without a known name or address. */
export const UNKNOWN_NAME = '–';

/** Whether an address of the contact, or `UNKNOWN_NAME`, stands in for the first name. */
const isUnknown = ({ firstName, email, phone }: Mergeable): boolean =>
  [email, phone, UNKNOWN_NAME].some(
    (address) => address?.toLowerCase() === firstName.toLowerCase(),
  );

/**
 * Returns the values of the merge fields in a message to a contact (spec "Conversations"). What stands
 * in for the first name is no value, so that a fallback is used instead.
 */
export function mergeValuesOf(
  contact: Mergeable,
  customValues: Readonly<Record<string, string>>,
): MergeValues {
  const { firstName, lastName, email, phone, company } = contact;
  const custom = Object.entries(customValues).map(([name, value]) => [
    `custom_values.${name}`,
    value,
  ]);
  const fullName = `${firstName} ${lastName}`.trim();
  return {
    firstName: isUnknown(contact) ? '' : firstName,
    lastName,
    email,
    phone,
    company,
    fullName,
    ...Object.fromEntries(custom),
  };
}
