import type { View } from '#core/work.ts';
import type { ListFilter } from './list-filter.ts';

export interface ListedList {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly isStatic: boolean;
  /** What a dynamic list selects. */
  readonly filter: ListFilter | null;
}

/** Returns the active lists of the view's sub-account by name. */
export const listLists = (view: View): Promise<ListedList[]> =>
  view.rows<ListedList>(LISTS, [view.subAccountId]);

const LISTS = `select id, key, name, filter is null as "isStatic", filter
  from lists
  where sub_account_id = $1 and active order by lower(name), id`;
