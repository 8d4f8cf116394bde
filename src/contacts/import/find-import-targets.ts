import type { Work, View } from '#core/work.ts';
import { emailKeysOf, normalised } from '../claim-addresses.ts';
import { snakeCase } from '#core/schema/columns.ts';
import type { WritableFields } from '../contact-change.ts';
import { WRITABLE_FIELDS } from '../contact.schema.ts';
import type { ContactRow } from './parse-contact-row.ts';

/** A live contact that a row may change. */
export interface Target extends WritableFields {
  readonly id: string;
}

/** The records that the rows of a batch refer to. */
export interface ImportTargets {
  /** The contact that has each email of the rows. */
  readonly owners: ReadonlyMap<string, string>;
  /** The contacts that rows may change, locked. */
  readonly contacts: ReadonlyMap<string, Target>;
  /** The assignees that are team members. */
  readonly members: ReadonlySet<string>;
}

/** Returns every email of a row, normalised. */
export const keysOf = ({ fields: { email, additionalEmails = [] } }: ContactRow): string[] =>
  emailKeysOf({ email, additionalEmails, additionalPhones: [] });

/** Returns the id of the contact that has the row's email. */
const ownerOf = (
  { owners }: Pick<ImportTargets, 'owners'>,
  { fields: { email } }: ContactRow,
): string | undefined => (email ? owners.get(normalised(email)) : undefined);

/** Looks a second time if a contact was deleted, merged or changed while its lock was awaited. */
export async function findImportTargets(
  work: Work,
  rows: readonly ContactRow[],
): Promise<ImportTargets> {
  const look = () => lockKnown(work, rows);
  const first = await look();
  const isStale = rows.some((row) => ownerOf(first, row) && !knownTo(first, row));
  return {
    ...(isStale ? await look() : first),
    members: await findMembers(work, distinctIds(rows.map(({ fields }) => fields.assignedTo))),
  };
}

type KnownContact = Omit<ImportTargets, 'members'>;

/** Returns the contact with the row's email, unless it lost the email while its lock was awaited. */
export function knownTo(known: KnownContact, row: ContactRow): Target | undefined {
  const owner = known.contacts.get(ownerOf(known, row) ?? '');
  const stillOwns = owner && emailKeysOf(owner).includes(normalised(row.fields.email ?? ''));
  return stillOwns ? owner : undefined;
}

async function lockKnown(work: Work, rows: readonly ContactRow[]): Promise<KnownContact> {
  const owners = await findOwners(work, rows.flatMap(keysOf));
  const ids = rows.flatMap((row) => [row.id, ownerOf({ owners }, row)]);
  return { owners, contacts: await lockContacts(work, distinctIds(ids)) };
}

const distinctIds = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
];

async function findOwners(
  { rows, subAccountId }: Work,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) {
    return new Map();
  }
  const found = await rows<{ email: string; contactId: string }>(
    `select email, contact_id as "contactId" from contact_emails
     where sub_account_id = $1 and email = any($2::text[])`,
    [subAccountId, keys],
  );
  return new Map(found.map(({ email, contactId }) => [email, contactId]));
}

/** Ordered, so that two imports do not deadlock. */
const LOCK_CONTACTS = `select ${['id', ...WRITABLE_FIELDS].map((name) => `${snakeCase(name)} as "${name}"`).join(', ')}
  from contacts where sub_account_id = $1 and id = any($2::uuid[]) and deleted_at is null
  order by id for update`;

/** Plain records, not entities: when a file is imported again, most rows change nothing. */
async function lockContacts(
  { rows, subAccountId }: Work,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Target>> {
  if (ids.length === 0) {
    return new Map();
  }
  const found = await rows<Target>(LOCK_CONTACTS, [subAccountId, ids]);
  return new Map(found.map((contact) => [contact.id, contact]));
}

/** Returns which of the ids are those of contacts, deleted or not. */
export async function findContactIds(
  { rows, subAccountId }: Work,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    'select id from contacts where sub_account_id = $1 and id = any($2::uuid[])',
    [subAccountId, ids],
  );
  return new Set(found.map(({ id }) => id));
}

async function findMembers(
  { rows, subAccountId }: Work,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) {
    return new Set();
  }
  const found = await rows<{ id: string }>(
    'select id from team_members where sub_account_id = $1 and id = any($2::uuid[])',
    [subAccountId, ids],
  );
  return new Set(found.map(({ id }) => id));
}

/**
 * Whether no email of the rows is repeated or stored. Then no two rows can be about the same contact,
 * and the order of writing does not matter.
 */
export async function allUnknown(view: View, rows: readonly ContactRow[]): Promise<boolean> {
  const keys = rows.flatMap(keysOf);
  const isNamed = rows.some(({ id }) => id !== undefined);
  if (isNamed || new Set(keys).size < keys.length) {
    return false;
  }
  const known = await view.rows(KNOWN, [view.subAccountId, keys]);
  return known.length === 0;
}

const KNOWN = `select from contact_emails
  where sub_account_id = $1 and email = any($2::text[]) limit 1`;
