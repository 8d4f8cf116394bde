import { Fault, invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { Identification } from './verified-customer.schema.ts';

/** Stands in for an unknown customer, so that the same queries run for them. */
const UNKNOWN = AGENCY;

/** Returns the same fault for every failed identification: callers must not learn the cause. */
export const unknownCustomer = (): Fault =>
  new Fault('NOT_FOUND', 'no appointment was found for these details');

/**
 * Returns the id of the only live contact that matches everything given, else UNKNOWN. It is always
 * one statement, so that the time it takes reveals no more than the result.
 */
export async function identifyCustomer(
  view: View,
  identification: Identification,
): Promise<string> {
  assertIdentification(identification);
  const { contactId = null, email = null, phone = null, lastName = null } = identification;
  const contacts = await view.rows<{ id: string }>(FIND, [
    view.subAccountId,
    contactId,
    email === null ? null : normalised(email),
    email,
    phone,
    lastName === null ? null : folded(lastName),
  ]);
  // Two people of one name may share a phone: they are indistinguishable.
  const [only, another] = contacts;
  return only && !another ? only.id : UNKNOWN;
}

/** Throws VALIDATION_ERROR for too few details, or for `contactId` together with others. */
function assertIdentification({ contactId = null, ...others }: Identification): void {
  const { email = null, phone = null, lastName = null } = others;
  const details = [email, phone, lastName].filter((one) => one !== null);
  if (contactId !== null && details.length > 0) {
    throw invalid([
      {
        in: 'body',
        path: '/contactId',
        message: 'must not be combined with email, phone or lastName',
      },
    ]);
  }
  if (contactId === null && details.length < 2) {
    const message = 'must have contactId, or two of email, phone and lastName';
    throw invalid([{ in: 'body', path: '', message }]);
  }
}

/**
 * Names are spoken and typed: `van  der Berg` equals `Van der Berg`, and `WEISS` equals `Weiß`. FIND
 * folds the column alike.
 */
const folded = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

const FIND = `with candidates as (
    select id from contacts where sub_account_id = $1 and id = $2::uuid
    union
    select contact_id from contact_emails where sub_account_id = $1 and email = $3::text
    union
    select id from contacts
    where sub_account_id = $1 and phone = $5::text and deleted_at is null
    union
    select id from contacts
    where sub_account_id = $1 and additional_phones @> array[$5]::text[]
      and additional_phones <> '{}' and deleted_at is null
  )
  select c.id from candidates join contacts c on c.sub_account_id = $1 and c.id = candidates.id
  where c.deleted_at is null
    and ($4::text is null or c.email = $4 or $4 = any (c.additional_emails))
    and ($5::text is null or c.phone = $5 or $5 = any (c.additional_phones))
    and ($6::text is null or replace(lower($6), 'ß', 'ss') = replace(lower(trim(regexp_replace(
      normalize(c.last_name, NFC), '\\s+', ' ', 'g'))), 'ß', 'ss'))
  limit 2`;
