import { snakeCase } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import { keysOf } from './find-import-targets.ts';
import { RECORD_MEMBERS } from '../create-contact.ts';
import type { ContactRow } from './parse-contact-row.ts';

const COLUMNS = [...RECORD_MEMBERS.map(snakeCase), 'deleted_at'].join(', ');

/**
 * Temporary tables that shadow those an import writes: a dry run takes the same path and gets the same
 * counts, including rows of the file that are about the same contact.
 */
export const DRY_RUN = [
  `create temporary view real_contacts as select ${COLUMNS} from contacts`,
  'create temporary view real_contact_emails as select * from contact_emails',
  'create temporary table contacts as select * from real_contacts with no data',
  'alter table contacts add primary key (sub_account_id, id)',
  'create temporary table contact_emails as select * from real_contact_emails with no data',
  `alter table contact_emails
     add constraint contact_emails_pkey primary key (sub_account_id, email)`,
  'create temporary table outbox (like outbox)',
  'create temporary table audit_entries (like audit_entries)',
];

/** Copies the contacts that the rows refer to into the shadow tables, once each. */
export async function copyContacts(
  { rows, subAccountId }: Work,
  contactRows: readonly ContactRow[],
): Promise<void> {
  const keys = contactRows.flatMap(keysOf);
  const ids = contactRows.flatMap(({ id }) => id ?? []);
  await rows(COPY, [subAccountId, keys, ids]);
}

const COPY = `
  with wanted as (
    select contact_id as id from real_contact_emails
    where sub_account_id = $1 and email = any($2::text[])
    union select unnest($3::uuid[])
  ), copied as (
    insert into contacts select real.* from real_contacts real join wanted using (id)
    where real.sub_account_id = $1 and real.deleted_at is null
    on conflict do nothing returning id
  )
  insert into contact_emails select real.* from real_contact_emails real
  join copied on real.sub_account_id = $1 and real.contact_id = copied.id
  on conflict do nothing`;
