import { snakeCase } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import { keysOf } from './find-import-targets.ts';
import { RECORD_MEMBERS } from '../new-contact.ts';
import type { ContactRow } from './parse-contact-row.ts';

const COLUMNS = [...RECORD_MEMBERS.map(snakeCase), 'deleted_at'].join(', ');

/**
 * Stands in front of the tables that an import writes, so that a dry run goes the same way and comes
 * to the same numbers: rows of the file that meet each other included.
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

/** Lends the rehearsal the contacts that the rows will meet, unless it has them already. */
export async function lendContacts(
  { rows, subAccountId }: Work,
  wanted: readonly ContactRow[],
): Promise<void> {
  const keys = wanted.flatMap(keysOf);
  const ids = wanted.flatMap(({ id }) => id ?? []);
  await rows(LEND, [subAccountId, keys, ids]);
}

const LEND = `
  with wanted as (
    select contact_id as id from real_contact_emails
    where sub_account_id = $1 and email = any($2::text[])
    union select unnest($3::uuid[])
  ), lent as (
    insert into contacts select real.* from real_contacts real join wanted using (id)
    where real.sub_account_id = $1 and real.deleted_at is null
    on conflict do nothing returning id
  )
  insert into contact_emails select real.* from real_contact_emails real
  join lent on real.sub_account_id = $1 and real.contact_id = lent.id
  on conflict do nothing`;
