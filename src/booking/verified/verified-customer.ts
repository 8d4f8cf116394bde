import { Fault, invalid } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { normalised } from '../../contacts/addresses.ts';
import type { Identification } from './verified-customer.schema.ts';

/** Stands in for a customer who is not known, so that the same questions are asked for him. */
const NOBODY = AGENCY;

/** The one answer to every identification that fails, for whatever reason. */
export const unknownCustomer = (): Fault =>
  new Fault('NOT_FOUND', 'no appointment was found for these details');

/**
 * The one live contact whom everything given belongs to, else NOBODY. It is one statement whatever
 * is given and whoever is found, so that time tells no more than the answer.
 */
export async function verifiedCustomer(view: View, given: Identification): Promise<string> {
  refuseIdentification(given);
  const { contactId = null, email = null, phone = null, lastName = null } = given;
  const found = await view.rows<{ id: string }>(FIND, [
    view.subAccountId,
    contactId,
    email === null ? null : normalised(email),
    email,
    phone,
    lastName === null ? null : folded(lastName),
  ]);
  // Two people of one name may share a phone: nobody can tell which of them asks.
  const [only, another] = found;
  return only && !another ? only.id : NOBODY;
}

/** Refuses what identifies nobody, whatever is stored: too little, or `contactId` with others. */
function refuseIdentification({ contactId, ...others }: Identification): void {
  const given = [others.email, others.phone, others.lastName].filter((one) => one !== undefined);
  if (contactId !== undefined && given.length > 0) {
    throw invalid([{ in: 'body', path: '/contactId', message: 'must be given alone' }]);
  }
  if (contactId === undefined && given.length < 2) {
    const message = 'must hold contactId, or two of email, phone and lastName';
    throw invalid([{ in: 'body', path: '', message }]);
  }
}

/** Names are said and typed: `van  der Berg` is `Van der Berg`. The column is folded alike in FIND. */
const folded = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

const FIND = `with meant as (
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
  select c.id from meant join contacts c on c.sub_account_id = $1 and c.id = meant.id
  where c.deleted_at is null
    and ($4::text is null or c.email = $4 or $4 = any (c.additional_emails))
    and ($5::text is null or c.phone = $5 or $5 = any (c.additional_phones))
    and ($6::text is null or lower($6) = lower(trim(regexp_replace(
      normalize(c.last_name, NFC), '\\s+', ' ', 'g'))))
  limit 2`;
