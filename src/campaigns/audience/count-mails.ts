import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import type { View } from '#core/work.ts';
import type { ActiveList } from '../lists/list.store.ts';
import { audienceOf } from './resolve-audience.ts';

/** Returns how many mails a campaign would send now. */
export async function countMails(
  view: View,
  { id }: Readonly<Record<string, unknown>>,
): Promise<Effects> {
  const [list] = await view.rows<ActiveList>(LIST, [view.subAccountId, id]);
  if (!list) {
    return { mails: 0 };
  }
  const values: unknown[] = [view.subAccountId];
  const conditions = audienceOf(list, (value) => `$${values.push(value)}`);
  const [row] = await view.rows<{ mails: number }>(
    `select count(*)::int as mails from contacts c where ${conditions.join(' and ')}`,
    values,
  );
  return { mails: row?.mails ?? 0 };
}

const LIST = `select l.id, l.filter from campaigns c
  join lists l on l.sub_account_id = c.sub_account_id and l.id = c.list_id
  where c.sub_account_id = $1 and c.id = $2 and l.active`;
