import { invalidField, type Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';

export interface Addressed {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly additionalEmails: readonly string[];
  readonly additionalPhones: readonly string[];
}

/** How an address is compared: emails without case (contract 5). Phones are E.164 already. */
export const normalised = (address: string): string => address.trim().toLowerCase();

export const emailKeysOf = ({ email, additionalEmails }: Addressed): string[] =>
  distinct([email, ...additionalEmails]);

/** Every address the consent ledger may know the contact by. */
export const addressesOf = (contact: Addressed): string[] =>
  distinct([
    contact.email,
    ...contact.additionalEmails,
    contact.phone,
    ...contact.additionalPhones,
  ]);

const distinct = (given: readonly (string | null | undefined)[]): string[] => [
  ...new Set(given.flatMap((address) => (address ? [normalised(address)] : []))),
];

/** Additional addresses without repeats and without the primary one; spelling as given. */
export function additional(given: readonly string[], primary: string | null | undefined): string[] {
  const seen = new Set(primary ? [normalised(primary)] : []);
  return given.filter((address) => {
    const key = normalised(address);
    return !seen.has(key) && seen.add(key);
  });
}

/** Takes emails for a contact; the primary key refuses one that another live contact has. */
export function claimEmails(work: Work, contactId: string, keys: readonly string[]): void {
  if (keys.length === 0) {
    return;
  }
  work.write(
    `insert into contact_emails (sub_account_id, email, contact_id)
     select $1::uuid, email, $3::uuid from unnest($2::text[]) as email`,
    [work.subAccountId, keys, contactId],
  );
  work.mapConstraint('contact_emails_pkey', (view) => duplicateEmail(view, keys, contactId));
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

/** Releases the addresses that a contact has no longer and claims those that are new. */
export function moveEmails(
  work: Work,
  contactId: string,
  before: readonly string[],
  after: readonly string[],
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
  );
}

async function duplicateEmail(
  view: View,
  keys: readonly string[],
  contactId: string,
): Promise<Fault> {
  const [owner] = await view.rows<{ contactId: string }>(
    `select contact_id as "contactId" from contact_emails
     where sub_account_id = $1 and email = any($2::text[]) and contact_id <> $3 limit 1`,
    [view.subAccountId, keys, contactId],
  );
  return invalidField('/email', 'belongs to another contact', {
    reason: 'duplicate_email',
    contactId: owner?.contactId ?? null,
  });
}
