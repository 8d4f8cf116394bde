import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';

/** The sub-account that an appointment belongs to, wherever in the installation it is. */
export async function findOwner(view: View, id: string): Promise<string | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [found] = await view.rows<{ subAccountId: string }>(OWNER, [id]);
  return found?.subAccountId;
}

const OWNER = `select s.id as "subAccountId"
  from sub_accounts s join appointments a on a.sub_account_id = s.id
  where s.deleted_at is null and a.id = $1`;
