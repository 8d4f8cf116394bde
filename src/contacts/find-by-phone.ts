import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';

/**
 * Returns the id of the live contact with this phone, locked until the work ends, or undefined if there
 * is none. Nothing keeps two contacts from sharing a phone, hence the advisory lock. Looks twice, like
 * `lockContactByEmail`. Throws VALIDATION_ERROR for a phone of several contacts.
 */
export async function lockContactByPhone(work: Work, phone: string): Promise<string | undefined> {
  const { subAccountId } = work;
  await lockTexts(work, `contact ${subAccountId} ${phone}`);
  const look = () => work.rows<{ id: string }>(BY_PHONE, [subAccountId, phone]);
  await look();
  const contactIds = (await look()).map(({ id }) => id);
  if (contactIds.length > 1) {
    const message = `${contactIds.length} contacts have this phone; send an email, or use the id of one of them: details.contactIds`;
    throw new Fault('VALIDATION_ERROR', message, { reason: 'ambiguous_phone', contactIds });
  }
  return contactIds[0];
}

/**
 * Returns a query of the ids of the live contacts of sub-account `$1` with a phone, main or additional.
 * Each branch has an index of its own.
 */
export const liveIdsByPhone = (phone: string): string => `
    select id from contacts where sub_account_id = $1 and phone = ${phone} and deleted_at is null
    union
    select id from contacts where sub_account_id = $1 and additional_phones @> array[${phone}]::text[]
      and additional_phones <> '{}' and deleted_at is null`;

/**
 * SQL: `column` is one of these ids. As an array they are found once; with `in`, PostgreSQL looks for them again
 * for each row of a sub-account that its statistics do not know.
 */
export const isLiveByPhone = (column: string, phone: string): string =>
  `${column} = any(array(${liveIdsByPhone(phone)}))`;

const BY_PHONE = `select c.id from contacts c
  where c.sub_account_id = $1 and c.deleted_at is null and ${isLiveByPhone('c.id', '$2')}
  order by c.id for update of c`;
