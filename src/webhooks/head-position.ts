import type { View } from '#kit/work.ts';
import { publishAll } from '#platform/publisher.ts';

/**
 * The greatest position of the sub-account's events, once all that is committed has one: whatever
 * is announced later lies behind it. In a Work, nobody else publishes until that ends.
 */
export async function headPosition(view: View): Promise<number> {
  await publishAll(view);
  const [head] = await view.rows<{ position: number }>(HEAD, [view.subAccountId]);
  return head?.position ?? 0;
}

const HEAD = `select coalesce(max(position), 0)::int8 as position from events
  where sub_account_id = $1`;
