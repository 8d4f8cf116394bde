import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';

/** The sub-account that a live opportunity belongs to, wherever in the installation it is. */
export async function findOwner(view: View, id: string): Promise<string | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [found] = await view.rows<{ subAccountId: string }>(OWNER, [id]);
  return found?.subAccountId;
}

const OWNER = `select a.id as "subAccountId"
  from sub_accounts a join opportunities o on o.sub_account_id = a.id
  where a.deleted_at is null and o.deleted_at is null and o.id = $1`;
