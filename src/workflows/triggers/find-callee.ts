import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { INBOUND } from '../definition/workflow.schema.ts';

interface Callee {
  readonly subAccountId: string;
  readonly id: string;
  readonly isCallable: boolean;
  readonly secret: Buffer | null;
}

/**
 * The one active workflow behind a slug, wherever in the installation it is; NOT_FOUND where there
 * are several, for none of them could be told from the others (spec "Workflow triggers").
 */
export async function findCallee(
  view: View,
  slug: string,
  what: 'trigger' | 'event',
): Promise<Callee> {
  const [found, another] = await view.rows<Callee>(FIND, [slug, INBOUND]);
  if (!found || another || (what === 'trigger' && !found.isCallable)) {
    throw notFound('workflow');
  }
  return found;
}

const FIND = `select w.sub_account_id as "subAccountId", w.id, w.secret,
    $2 = any(w.listens_to) as "isCallable"
  from workflows w
  join sub_accounts s on s.id = w.sub_account_id and s.deleted_at is null
  where w.slug = $1 and w.active and w.deleted_at is null
  limit 2`;
