import { invalid, type Issue } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

/** The records that an input links a task to. */
export interface Linking {
  readonly contactId?: string | null | undefined;
  readonly dealId?: string | null | undefined;
}

/** Those of them that live. */
export interface Links {
  readonly contact: { readonly tags: readonly string[] } | undefined;
  readonly deal: object | undefined;
}

/**
 * Finds what a task is to be linked to and keeps it from being deleted until this work is done.
 * Comes before any lock on a task: who deletes or merges a contact locks it before its tasks, too.
 */
export async function lockLinks(work: Work, { contactId, dealId }: Linking): Promise<Links> {
  return {
    contact: contactId ? await held(work, LOCK_CONTACT, contactId) : undefined,
    deal: dealId ? await held(work, LOCK_DEAL, dealId) : undefined,
  };
}

async function held<T extends object>(work: Work, text: string, id: string) {
  const [found] = await work.rows<T>(text, [work.subAccountId, id]);
  return found;
}

const LOCK_CONTACT = `select tags from contacts
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

const LOCK_DEAL = `select id from opportunities
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

/** Refuses a link to what is foreign, unknown or deleted, which are answered alike. */
export function requireLinks({ contact, deal }: Links, { contactId, dealId }: Linking): void {
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
