import { invalid, type Issue } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { lockReferredContact } from '../contacts/contact.store.ts';

/** The records that an input links a task to. */
interface LinksInput {
  readonly contactId?: string | null | undefined;
  readonly dealId?: string | null | undefined;
}

/** The linked records that are live. */
interface Links {
  readonly contact: { readonly tags: readonly string[] } | undefined;
  readonly deal: object | undefined;
}

/**
 * Locks the records that a task is to be linked to against deletion. Must run before a task is
 * locked: deleting or merging a contact locks the contact before its tasks, too.
 */
export async function lockLinks(work: Work, { contactId, dealId }: LinksInput): Promise<Links> {
  return {
    contact: contactId ? await lockReferredContact(work, contactId) : undefined,
    deal: dealId ? (await work.rows(LOCK_DEAL, [work.subAccountId, dealId]))[0] : undefined,
  };
}

const LOCK_DEAL = `select id from opportunities
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

/** Throws for links to foreign, unknown and deleted records, with the same issue for each. */
export function requireLinks({ contact, deal }: Links, { contactId, dealId }: LinksInput): void {
  const issues: Issue[] = [];
  if (contactId && !contact) {
    issues.push({
      in: 'body',
      path: '/contactId',
      message: 'is not a contact of this sub-account',
    });
  }
  if (dealId && !deal) {
    issues.push({
      in: 'body',
      path: '/dealId',
      message: 'is not an opportunity of this sub-account',
    });
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
}
