import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import { lockContactsByEmail } from '../../contacts/find-by-email.ts';
import { knownList, type KnownList } from './list.store.ts';

export interface ListedRow {
  readonly email: string;
  readonly contactId: string;
  /** False if the contact was already on the list. */
  readonly added: boolean;
}

/** Adds the contacts with these emails to a static list. Throws NOT_FOUND if one is unknown. */
export async function addToList(
  work: Work,
  key: string,
  emails: readonly string[],
): Promise<ListedRow[]> {
  const list = await staticList(work, key);
  const found = await lockContacts(work, emails);
  const ids = found.map(({ contactId }) => contactId);
  const added = await work.rows<{ contactId: string }>(ADD, [
    work.subAccountId,
    list.id,
    ids,
    work.now,
  ]);
  work.audit(list.id);
  const fresh = new Set(added.map(({ contactId }) => contactId));
  return found.map((row) => ({ ...row, added: fresh.has(row.contactId) }));
}

/** Returns the contacts with these emails, locked against deletion and merging. */
async function lockContacts(
  work: Work,
  emails: readonly string[],
): Promise<Omit<ListedRow, 'added'>[]> {
  const found = await lockContactsByEmail(work, emails);
  const missing = new Set(emails.map(normalised)).difference(
    new Set(found.map(({ email }) => email)),
  );
  if (missing.size > 0) {
    throw new Fault('NOT_FOUND', `no contact has the email ${[...missing].join(', ')}`);
  }
  return found.toSorted((a, b) => (a.email < b.email ? -1 : 1));
}

/** Returns a function that adds contacts to a static list. Throws if the list is unknown or dynamic. */
export async function joining(view: View, key: string) {
  const { id } = await staticList(view, key);
  return (work: Work, contactIds: readonly string[]): void =>
    work.write(ADD, [work.subAccountId, id, contactIds, work.now]);
}

async function staticList(view: View, key: string): Promise<KnownList> {
  const list = await knownList(view, key);
  if (!list.isStatic) {
    const message = `the list ${key} is dynamic: its filter selects the contacts. Choose a list without a filter`;
    throw new Fault('VALIDATION_ERROR', message);
  }
  return list;
}

const ADD = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select distinct $1::uuid, $2::uuid, id, $4::timestamptz from unnest($3::uuid[]) as id
  on conflict do nothing returning contact_id as "contactId"`;
