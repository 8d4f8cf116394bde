import { invalidField } from '#core/fault.ts';
import { snakeCase } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { addressesOf, emailKeysOf, moveEmails } from './claim-addresses.ts';
import { announceChange, type ContactChange } from './contact-change.ts';
import { contactCreated } from './contact.events.ts';
import { RECORD_MEMBERS, type NewContact } from './create-contact.ts';

/** Writes any number of new contacts, their email claims and their events in one statement. */
export async function insertContacts(work: Work, records: readonly NewContact[]): Promise<void> {
  if (records.length === 0) {
    return;
  }
  work.write(INSERT_CONTACTS, [rowsText(records)]);
  const claims = records.flatMap((record) =>
    emailKeysOf(record).map((key) => ({ key, id: record.id })),
  );
  work.write(CLAIM_EMAILS, [
    work.subAccountId,
    claims.map(({ key }) => key),
    claims.map(({ id }) => id),
  ]);
  work.mapConstraint('contact_emails_pkey', () =>
    invalidField('/email', 'belongs to another contact', { reason: 'duplicate_email' }),
  );
  refuseUnknownAssignee(work, 'contacts');
  for (const { id: contactId, tags, event } of records) {
    await work.emit(contactCreated, { contactId, tags, data: event });
  }
}

/**
 * Writes any number of changes to locked contacts, by their ids, and their events in one statement.
 * A change that moves addresses must come alone: another contact may claim what it releases.
 */
export async function changeContacts(
  work: Work,
  changes: ReadonlyMap<string, ContactChange>,
): Promise<void> {
  if (changes.size === 0) {
    return;
  }
  const records = [...changes].map(([id, { after }]) => {
    return { ...after, id, addresses: addressesOf(after), updatedAt: work.now };
  });
  work.write(CHANGE_CONTACTS, [work.subAccountId, rowsText(records)]);
  refuseUnknownAssignee(work, 'contacts');
  for (const [id, change] of changes) {
    moveEmails(work, id, emailKeysOf(change.before), emailKeysOf(change.after), change.after);
    await announceChange(work, id, change);
  }
}

type ContactRecord = Readonly<Partial<Record<(typeof RECORD_MEMBERS)[number], unknown>>>;

const columns = RECORD_MEMBERS.map((member) => [member, snakeCase(member)] as const);

/** Records as `json_populate_recordset(null::contacts, …)` reads them. */
const rowsText = (records: readonly ContactRecord[]): string => JSON.stringify(records.map(rowOf));

/** Leaves nulls out: most imports fill few columns, and PostgreSQL parses all of the text again. */
function rowOf(record: ContactRecord): object {
  const row: Record<string, unknown> = {};
  for (const [member, column] of columns) {
    const value = record[member];
    if (value !== null) {
      row[column] = value;
    }
  }
  return row;
}

const COLUMNS = columns.map(([, column]) => column);
const COLUMN_LIST = COLUMNS.join(', ');

const INSERT_CONTACTS = `insert into contacts (${COLUMN_LIST})
  select ${COLUMN_LIST} from json_populate_recordset(null::contacts, $1::json)`;

/** Ordered, so that two imports of the same addresses do not deadlock. */
const CLAIM_EMAILS = `insert into contact_emails (sub_account_id, email, contact_id)
  select $1::uuid, claim.email, claim.contact_id
  from unnest($2::text[], $3::uuid[]) as claim (email, contact_id) order by claim.email`;

const CHANGED = COLUMNS.filter(
  (column) => !['sub_account_id', 'id', 'created_at'].includes(column),
);

const CHANGE_CONTACTS = `update contacts c
  set ${CHANGED.map((column) => `${column} = changed.${column}`).join(', ')}
  from json_populate_recordset(null::contacts, $2::json) as changed
  where c.sub_account_id = $1 and c.id = changed.id`;
