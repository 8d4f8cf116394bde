import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../../accounts/team/refuse-unknown-assignee.ts';
import { emailKeysOf } from './addresses.ts';
import { RECORD_COLUMNS, rowsText } from './contact-rows.ts';
import { contactCreated } from '../contact.events.ts';
import type { NewContact } from './new-contact.ts';

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

const COLUMN_LIST = RECORD_COLUMNS.join(', ');

const INSERT_CONTACTS = `insert into contacts (${COLUMN_LIST})
  select ${COLUMN_LIST} from json_populate_recordset(null::contacts, $1::json)`;

/** In one order, so that two imports of the same addresses never wait for each other. */
const CLAIM_EMAILS = `insert into contact_emails (sub_account_id, email, contact_id)
  select $1::uuid, claim.email, claim.contact_id
  from unnest($2::text[], $3::uuid[]) as claim (email, contact_id) order by claim.email`;
