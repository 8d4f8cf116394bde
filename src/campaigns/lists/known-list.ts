import { Fault } from '#core/fault.ts';
import type { View } from '#core/work.ts';

export interface KnownList {
  readonly id: string;
  readonly name: string;
  readonly isStatic: boolean;
}

/** A list of the view's sub-account by its key; throws NOT_FOUND. */
export async function knownList(view: View, key: string): Promise<KnownList> {
  const [list] = await view.rows<KnownList>(LIST, [view.subAccountId, key]);
  if (!list) {
    throw new Fault('NOT_FOUND', `there is no list ${key}`);
  }
  return list;
}

const LIST = `select id, name, filter is null as "isStatic" from lists
  where sub_account_id = $1 and key = $2`;
