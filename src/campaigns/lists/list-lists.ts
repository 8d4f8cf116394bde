import type { View } from '#core/work.ts';

export interface ListedList {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly isStatic: boolean;
}

/** Returns the active lists of the view's sub-account by name. */
export const listLists = (view: View): Promise<ListedList[]> =>
  view.rows<ListedList>(LISTS, [view.subAccountId]);

const LISTS = `select id, key, name, filter is null as "isStatic" from lists
  where sub_account_id = $1 and active order by lower(name), id`;
