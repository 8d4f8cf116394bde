import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { normalised } from '../../contacts/rows/addresses.ts';
import { knownList, type KnownList } from './known-list.ts';

export interface ListedRow {
  readonly email: string;
  readonly contactId: string;
  /** False where the contact was on the list already. */
  readonly added: boolean;
}

/** Puts the contacts of these addresses on a static list, or none of them where one is nobody's. */
export async function addToList(
  work: Work,
  key: string,
  emails: readonly string[],
): Promise<ListedRow[]> {
  const list = await staticList(work, key);
  const addresses = [...new Set(emails.map(normalised))];
  const found = await lockContacts(work, addresses);
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

/** Held against deletion and merging; who is merged at this moment is found at the second look. */
async function lockContacts(work: Work, addresses: readonly string[]): Promise<ListedContact[]> {
  const first = await work.rows<ListedContact>(CONTACTS, [work.subAccountId, addresses]);
  const missed = lackingOf(addresses, first);
  const second =
    missed.length > 0 ? await work.rows<ListedContact>(CONTACTS, [work.subAccountId, missed]) : [];
  const found = [...first, ...second];
  const lacking = lackingOf(addresses, found);
  if (lacking.length > 0) {
    throw new Fault('NOT_FOUND', `no contact has the email ${lacking.join(', ')}`);
  }
  return found.toSorted((a, b) => (a.email < b.email ? -1 : 1));
}

type ListedContact = Pick<ListedRow, 'email' | 'contactId'>;

const lackingOf = (addresses: readonly string[], found: readonly ListedContact[]): string[] =>
  addresses.filter((one) => !found.some(({ email }) => email === one));

/** Puts contacts on a static list, whatever else is done with them; throws where there is no such list. */
export async function joining(view: View, key: string) {
  const { id } = await staticList(view, key);
  return (work: Work, contactIds: readonly string[]): void =>
    work.write(ADD, [work.subAccountId, id, contactIds, work.now]);
}

async function staticList(view: View, key: string): Promise<KnownList> {
  const list = await knownList(view, key);
  if (!list.isStatic) {
    throw new Fault('VALIDATION_ERROR', `${key} has a filter and holds whoever fits it`);
  }
  return list;
}

const CONTACTS = `select e.email, e.contact_id as "contactId" from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = any($2::text[]) and c.deleted_at is null
  order by c.id for key share of c`;

const ADD = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select distinct $1::uuid, $2::uuid, id, $4::timestamptz from unnest($3::uuid[]) as id
  on conflict do nothing returning contact_id as "contactId"`;
