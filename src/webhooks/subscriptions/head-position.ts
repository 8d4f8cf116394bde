import type { View } from '#core/work.ts';
import { publishOwn } from '#platform/notify/publisher.ts';

/**
 * Publishes the sub-account's committed events and returns the greatest position of them. Events that
 * are committed later get greater ones. In a Work, no other publisher continues until it ends.
 */
export async function headPosition(view: View): Promise<number> {
  await publishOwn(view);
  const [head] = await view.rows<{ position: number }>(HEAD, [view.subAccountId]);
  return head?.position ?? 0;
}

const HEAD = `select coalesce(max(position), 0)::int8 as position from events
  where sub_account_id = $1`;
