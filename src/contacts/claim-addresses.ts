import { invalidField, type Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';

export interface Addressed {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly additionalEmails: readonly string[];
  readonly additionalPhones: readonly string[];
}

/** Returns an address in the form in which addresses are compared, ignoring case (contract 5). */
export const normalised = (address: string): string => address.trim().toLowerCase();

export const emailKeysOf = ({ email, additionalEmails }: Addressed): string[] =>
  distinct([email, ...additionalEmails]);

/** Returns every address of a contact, normalised: suppressions are looked up by these. */
export const addressesOf = (contact: Addressed): string[] =>
  distinct([
    contact.email,
    ...contact.additionalEmails,
    contact.phone,
    ...contact.additionalPhones,
  ]);

const distinct = (addresses: readonly (string | null | undefined)[]): string[] => [
  ...new Set(addresses.flatMap((address) => (address ? [normalised(address)] : []))),
];

/** Returns the additional addresses without repeats and without the primary one. */
export function additional(
  addresses: readonly string[],
  primary: string | null | undefined,
): string[] {
  const seen = new Set(primary ? [normalised(primary)] : []);
  return addresses.filter((address) => {
    const key = normalised(address);
    return !seen.has(key) && seen.add(key);
  });
}

/** The emails of a request's body, or the one field that stands for all of them. */
export type EmailsInput =
  | string
  | {
      readonly email?: string | null | undefined;
      readonly additionalEmails?: readonly string[] | undefined;
    };

/**
 * Claims emails for a contact. The primary key refuses an email of another live contact; the fault
 * points to where the body gives it.
 */
export function claimEmails(
  work: Work,
  contactId: string,
  keys: readonly string[],
  given: EmailsInput,
): void {
  if (keys.length === 0) {
    return;
  }
  work.write(
    `insert into contact_emails (sub_account_id, email, contact_id)
     select $1::uuid, email, $3::uuid from unnest($2::text[]) as email`,
    [work.subAccountId, keys, contactId],
  );
  work.mapConstraint('contact_emails_pkey', (view) => duplicateEmail(view, keys, contactId, given));
}

export function releaseEmails(work: Work, contactId: string, keys: readonly string[]): void {
  if (keys.length > 0) {
    work.write(
      `delete from contact_emails
       where sub_account_id = $1 and email = any($2::text[]) and contact_id = $3`,
      [work.subAccountId, keys, contactId],
    );
  }
}

/** Releases the emails that a contact no longer has and claims the new ones. */
export function moveEmails(
  work: Work,
  contactId: string,
  before: readonly string[],
  after: readonly string[],
  given: EmailsInput,
): void {
  releaseEmails(
    work,
    contactId,
    before.filter((key) => !after.includes(key)),
  );
  claimEmails(
    work,
    contactId,
    after.filter((key) => !before.includes(key)),
    given,
  );
}

async function duplicateEmail(
  view: View,
  keys: readonly string[],
  contactId: string,
  given: EmailsInput,
): Promise<Fault> {
  const [owner] = await view.rows<{ contactId: string; email: string }>(
    `select contact_id as "contactId", email from contact_emails
     where sub_account_id = $1 and email = any($2::text[]) and contact_id <> $3
     order by array_position($2::text[], email) limit 1`,
    [view.subAccountId, keys, contactId],
  );
  return invalidField(pathOf(given, owner?.email), 'belongs to another contact', {
    reason: 'duplicate_email',
    contactId: owner?.contactId ?? null,
  });
}

/** Returns the path of an email in the body; `key` is its normalised form. */
function pathOf(given: EmailsInput, key: string | undefined): string {
  if (typeof given === 'string') {
    return given;
  }
  const { email, additionalEmails = [] } = given;
  const at = additionalEmails.findIndex((one) => normalised(one) === key);
  return at === -1 || (email && normalised(email) === key) ? '/email' : `/additionalEmails/${at}`;
}
