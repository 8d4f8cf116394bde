import type { Work, View } from '#core/work.ts';
import { emailKeysOf, normalised } from '../addresses.ts';
import { snakeCase } from '#core/schema/columns.ts';
import type { WritableFields } from '../contact-change.ts';
import { WRITABLE_FIELDS } from '../contact.schema.ts';
import type { ContactRow } from './parse-contact-row.ts';

/** A live contact that a row may change. */
export interface Target extends WritableFields {
  readonly id: string;
}

/** What the rows of a batch meet in the database. */
export interface ImportTargets {
  /** Who has each address of the rows. */
  readonly owners: ReadonlyMap<string, string>;
  /** The contacts that rows may change, held against other writers. */
  readonly contacts: ReadonlyMap<string, Target>;
  /** Which of the assignees named are team members. */
  readonly members: ReadonlySet<string>;
}

/** Every address that a row names, as addresses are compared. */
export const keysOf = ({ fields: { email, additionalEmails = [] } }: ContactRow): string[] =>
  emailKeysOf({ email, additionalEmails, additionalPhones: [] });

/** The contact that a row names by its address. */
const ownerOf = (
  { owners }: Pick<ImportTargets, 'owners'>,
  { fields: { email } }: ContactRow,
): string | undefined => (email ? owners.get(normalised(email)) : undefined);

/** Looks once more where somebody was deleted, merged or renamed while he was waited for. */
export async function findImportTargets(
  work: Work,
  rows: readonly ContactRow[],
): Promise<ImportTargets> {
  const look = () => lockKnown(work, rows);
  const first = await look();
  const isStale = rows.some((row) => ownerOf(first, row) && !knownTo(first, row));
  return {
    ...(isStale ? await look() : first),
    members: await findMembers(work, given(rows.map(({ fields }) => fields.assignedTo))),
  };
}

type KnownContact = Omit<ImportTargets, 'members'>;

/** The contact that holds the address of a row, unless he lost it while he was waited for. */
export function knownTo(known: KnownContact, row: ContactRow): Target | undefined {
  const owner = known.contacts.get(ownerOf(known, row) ?? '');
  const stillOwns = owner && emailKeysOf(owner).includes(normalised(row.fields.email ?? ''));
  return stillOwns ? owner : undefined;
}

async function lockKnown(work: Work, rows: readonly ContactRow[]): Promise<KnownContact> {
  const owners = await findOwners(work, rows.flatMap(keysOf));
  const ids = rows.flatMap((row) => [row.id, ownerOf({ owners }, row)]);
  return { owners, contacts: await lockContacts(work, given(ids)) };
}

const given = (ids: readonly (string | null | undefined)[]): string[] => [
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

/** In one order, so that two imports never wait for each other. */
const LOCK_CONTACTS = `select ${['id', ...WRITABLE_FIELDS].map((name) => `${snakeCase(name)} as "${name}"`).join(', ')}
  from contacts where sub_account_id = $1 and id = any($2::uuid[]) and deleted_at is null
  order by id for update`;

/** As plain records: of a file that is imported again, most rows change nothing. */
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
 * Whether rows are about nobody whom another one of them, or the sub-account, knows: then no two of
 * them can be about the same contact, and it does not matter which is written first.
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
