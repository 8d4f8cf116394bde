import type { Work } from '#core/work.ts';
import { normalised } from './rows/addresses.ts';

export interface EmailOwner {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * The live contact who has an email, kept from being merged or deleted until this work is done. Looks
 * twice: who becomes part of another meanwhile is gone from the first look, and that other one is not
 * in it yet.
 */
export async function lockContactByEmail(
  work: Work,
  email: string,
): Promise<EmailOwner | undefined> {
  const look = () => work.rows<EmailOwner>(BY_EMAIL, [work.subAccountId, normalised(email)]);
  const [owner = (await look())[0]] = await look();
  return owner;
}

const BY_EMAIL = `select c.id as "contactId", c.tags
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null
  for key share of c`;
