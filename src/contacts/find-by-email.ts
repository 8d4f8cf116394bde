import { Type } from 'typebox';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { PointRead, View, Work } from '#core/work.ts';
import { normalised } from './claim-addresses.ts';

/** The row locks of PostgreSQL that keep a contact from being merged or deleted, weakest first. */
export type ContactLock = 'key share' | 'no key update' | 'update';

export interface KnownContact {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly tags: readonly string[];
}

export interface EmailOwner {
  readonly contactId: string;
  readonly tags: readonly string[];
}

interface EmailMatch {
  /** Normalised. */
  readonly email: string;
  readonly contactId: string;
}

/** Returns the live contact with an email. It is not locked: a write must allow for its deletion. */
export async function findContactByEmail(
  { rows, subAccountId }: Pick<View, 'rows' | 'subAccountId'>,
  email: string,
): Promise<KnownContact | undefined> {
  const [contact] = await rows<KnownContact>(FIND, [subAccountId, normalised(email)]);
  return contact;
}

/**
 * Returns whether a live contact has an email. Calls at the same time share a statement (bench
 * scenario `upsert-contact`).
 */
export const isEmailOfContact = async (work: Work, email: string): Promise<boolean> =>
  (await work.pointOutside(OWNERS, normalised(email))) !== undefined;

/** Returns the live contact with an id. It is not locked either. */
export async function findContactById(
  { rows, subAccountId }: Pick<View, 'rows' | 'subAccountId'>,
  id: string,
): Promise<KnownContact | undefined> {
  const [contact] = await rows<KnownContact>(FIND_BY_ID, [subAccountId, id]);
  return contact;
}

/**
 * Locks the live contact with an email until the work is done and returns it. Looks twice: a contact
 * that is merged while its lock is awaited is missing from the first look, and the contact it was
 * merged into has the email only after that.
 */
export async function lockContactByEmail(
  work: Work,
  email: string,
  lock: ContactLock,
): Promise<EmailOwner | undefined> {
  const look = () => work.rows<EmailOwner>(LOCK_ONE[lock], [work.subAccountId, normalised(email)]);
  const [owner = (await look())[0]] = await look();
  return owner;
}

/**
 * Locks the live contacts with any of these emails and returns one row per email found. Looks twice,
 * like `lockContactByEmail`. The order of the locks prevents deadlocks between two batches.
 */
export async function lockContactsByEmail(
  work: Work,
  emails: readonly string[],
): Promise<EmailMatch[]> {
  const keys = [...new Set(emails.map(normalised))];
  const look = (wanted: readonly string[]) =>
    work.rows<EmailMatch>(LOCK_MANY, [work.subAccountId, wanted]);
  const first = await look(keys);
  const missing = keys.filter((key) => !first.some(({ email }) => email === key));
  return missing.length > 0 ? [...first, ...(await look(missing))] : first;
}

const byEmail = (columns: string, match: string): string => `select ${columns}
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = ${match} and c.deleted_at is null`;

const MEMBERS = `c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
  c.company, c.tags`;

const FIND = byEmail(MEMBERS, '$2');

const FIND_BY_ID = `select ${MEMBERS} from contacts c
  where c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null`;

const owner = recordSchema(Type.Object({ contactId: s.uuid() }), 'e');
const OWNERS: PointRead = {
  record: owner,
  text: byEmail(`e.email, ${owner.members}`, 'any($2::text[])'),
};

const OWNER = byEmail('c.id as "contactId", c.tags', '$2');
const LOCK_ONE: Readonly<Record<ContactLock, string>> = {
  'key share': `${OWNER} for key share of c`,
  'no key update': `${OWNER} for no key update of c`,
  update: `${OWNER} for update of c`,
};

const LOCK_MANY = `${byEmail('e.email, c.id as "contactId"', 'any($2::text[])')}
  order by c.id for key share of c`;
